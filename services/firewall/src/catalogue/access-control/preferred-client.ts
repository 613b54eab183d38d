import type { Kind } from '../../kinds/kind.ts'

export const preferredClient = {
  name: 'preferred-client',
  title: 'Preferred Client',
  description: '',
  path: 'preferred-clients',
  parent: 'rate-control-pool',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, required: true },
    'ip-range': { type: 'string', required: true },
    weight: { type: 'integer', min: 1, max: 100, required: true },
    status: { type: 'on-off' },
  },
} as const satisfies Kind
