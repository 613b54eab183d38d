import type { Kind } from '../../kinds/kind.ts'
import { objectName } from '../../kinds/patterns.ts'

/** Named by the IP reputation of services, whose clients are let in or kept out by where they are. */
export const geoPool = {
  name: 'geo-pool',
  title: 'GEO Pool',
  description: 'Countries and regions that services treat alike.',
  path: 'geo-pools',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 80, pattern: objectName, required: true },
    region: {
      type: 'string',
      description:
        'Countries and continents, separated by commas: English names, or codes of ISO 3166 for countries.',
    },
  },
} as const satisfies Kind
