import type { Fields } from '../../kinds/kind.ts'
import { objectName } from '../../kinds/patterns.ts'

/** An authentication service is a realm: a name under which the servers that answer for its users stand. */
export const realmFields = {
  name: {
    type: 'string',
    lengthMin: 1,
    lengthMax: 63,
    pattern: objectName,
    required: true,
    description: 'The name of the realm, which a service names as its authentication service.',
  },
} as const satisfies Fields
