import type { Kind } from '../../kinds/kind.ts'

export const rateControlPool = {
  name: 'rate-control-pool',
  title: 'Rate Control Pool',
  description: '',
  path: 'rate-control-pools',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, required: true },
    'max-active-requests': { type: 'integer', min: 1, max: 32_767 },
    'max-per-client-backlog': { type: 'integer', min: 0, max: 100 },
    'max-unconfigured-clients': { type: 'integer', min: 1, max: 32_767 },
  },
} as const satisfies Kind
