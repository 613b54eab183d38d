import type { Kind } from '../../kinds/kind.ts'
import { userOrGroupName } from '../../kinds/patterns.ts'

/** Cannot be deleted as long as a local user is in it. */
export const localGroup = {
  name: 'local-group',
  title: 'Local Groups',
  description: 'A group of local users, which authorization policies can allow as a whole.',
  path: 'local-groups',
  identifiedBy: 'name',
  operations: ['list', 'create', 'read', 'delete'],
  fields: {
    name: { type: 'string', lengthMin: 1, lengthMax: 63, pattern: userOrGroupName, required: true },
  },
} as const satisfies Kind
