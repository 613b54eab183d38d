import type { Kind } from '../../kinds/kind.ts'
import { userOrGroupName } from '../../kinds/patterns.ts'

/** A user of the protected applications; those who manage the firewall are of the kind user. */
export const localUser = {
  name: 'local-user',
  title: 'Local Users',
  description:
    'A user of the protected applications whom the firewall itself knows, in the realm "internal".',
  path: 'local-users',
  identifiedBy: 'name',
  operations: ['list', 'create', 'read', 'delete'],
  fields: {
    name: { type: 'string', lengthMax: 63, pattern: userOrGroupName, required: true },
    password: { type: 'string', lengthMax: 128, required: true, writeOnly: true },
    'user-groups': { type: 'list', of: { type: 'reference', to: 'local-group' } },
  },
} as const satisfies Kind
