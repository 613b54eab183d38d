import type { Kind } from '../../kinds/kind.ts'
import { objectName } from '../../kinds/patterns.ts'

/**
 * Holds services together inside a virtual site. Has nothing but its name. Every virtual site has a group called
 * default, into which a service goes that names no other.
 */
export const serviceGroup = {
  name: 'service-group',
  title: 'Group',
  description: 'A group of services under a virtual site.',
  path: 'service-groups',
  parent: 'vsite',
  identifiedBy: 'service-group',
  fields: {
    'service-group': { type: 'string', lengthMax: 64, pattern: objectName, required: true },
  },
  inEveryParent: [{ name: 'default' }],
} as const satisfies Kind
