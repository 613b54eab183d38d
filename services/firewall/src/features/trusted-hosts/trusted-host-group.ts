import type { Kind } from '../../kinds/kind.ts'
import { objectName } from '../../kinds/patterns.ts'

/** Has nothing but its name and the hosts inside it. Services that name it trust them. */
export const trustedHostGroup = {
  name: 'trusted-host-group',
  title: 'Trusted Host Group',
  description:
    'Clients that services trust: from whose traffic they learn, or which they let do more than others.',
  path: 'trusted-host-groups',
  identifiedBy: 'name',
  operations: ['list', 'create', 'read', 'delete'],
  fields: {
    name: { type: 'string', lengthMax: 64, pattern: objectName, required: true },
  },
} as const satisfies Kind
