import type { Kind } from '../../kinds/kind.ts'

export const geoPool = {
  name: 'geo-pool',
  title: 'GEO Pool',
  description: '',
  path: 'geo-pools',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 80, required: true },
    region: { type: 'string' },
  },
} as const satisfies Kind
