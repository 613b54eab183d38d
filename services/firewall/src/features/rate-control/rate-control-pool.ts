import type { Kind } from '../../kinds/kind.ts'
import { objectName } from '../../kinds/patterns.ts'

/**
 * Limits how many requests are being served at once, not how many come in a second. What is above the limit waits
 * in a queue of its client; a client whose queue is full is refused.
 */
export const rateControlPool = {
  name: 'rate-control-pool',
  title: 'Rate Control Pool',
  description: 'A budget of requests served at once, which the services that name it share.',
  path: 'rate-control-pools',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, pattern: objectName, required: true },
    'max-active-requests': {
      type: 'integer',
      min: 1,
      max: 32_767,
      description: 'Requests that are served at once.',
    },
    'max-per-client-backlog': {
      type: 'integer',
      min: 0,
      max: 100,
      description: 'Requests of one client that wait.',
    },
    'max-unconfigured-clients': {
      type: 'integer',
      min: 1,
      max: 32_767,
      description: 'Clients, other than preferred ones, whose requests wait.',
    },
  },
  factory: [{ path: ['default-pool'] }],
} as const satisfies Kind
