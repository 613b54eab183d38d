import type { Section } from '../../kinds/kind.ts'
import { addressRanges } from '../../kinds/patterns.ts'

/** Guards against clients that hold connections by sending or taking a few bytes now and then. */
export const slowClientAttack = {
  title: 'Slow Client Attack Prevention',
  description: 'How slowly a client may send a request or take a response.',
  fields: {
    status: { type: 'on-off', default: 'Off' },
    'data-transfer-rate': { type: 'integer', min: 1, max: 1024, default: 10, unit: 'KB/s' },
    'incremental-request-timeout': {
      type: 'integer',
      min: 1,
      max: 600,
      default: 30,
      unit: 'seconds',
      description: 'Time for a request, which grows as long as the client keeps the rate.',
    },
    'max-request-timeout': {
      type: 'integer',
      min: 0,
      max: 3600,
      default: 600,
      unit: 'seconds',
      description: 'Longest time for one whole request.',
    },
    'incremental-response-timeout': {
      type: 'integer',
      min: 1,
      max: 600,
      default: 30,
      unit: 'seconds',
      description: 'Time for a response, which grows as long as the client keeps the rate.',
    },
    'max-response-timeout': {
      type: 'integer',
      min: 0,
      max: 3600,
      default: 600,
      unit: 'seconds',
      description: 'Longest time for one whole response.',
    },
    'exception-clients': {
      type: 'string',
      pattern: addressRanges,
      description: 'Addresses of clients that are exempt.',
    },
  },
} as const satisfies Section
