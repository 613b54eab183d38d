import type { Kind } from '../../kinds/kind.ts'
import { addressRanges, objectName } from '../../kinds/patterns.ts'

/** The queues of a pool are served in turns, those of preferred clients as often as their weight says. */
export const preferredClient = {
  name: 'preferred-client',
  title: 'Preferred Client',
  description: 'Clients whose waiting requests a rate control pool serves more often than those of others.',
  path: 'preferred-clients',
  parent: 'rate-control-pool',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, pattern: objectName, required: true },
    status: { type: 'on-off' },
    'ip-range': {
      type: 'string',
      lengthMax: 1024,
      pattern: addressRanges,
      required: true,
      description: 'An address, or two with "-" between them.',
    },
    weight: { type: 'integer', min: 1, max: 100, required: true, description: '100 is served most often.' },
  },
} as const satisfies Kind
