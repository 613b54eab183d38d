import type { Kind } from '../../kinds/kind.ts'

export const localUser = {
  name: 'local-user',
  title: 'Local Users',
  description: '',
  path: 'local-users',
  identifiedBy: 'name',
  operations: ['list', 'create', 'read', 'delete'],
  fields: {
    name: { type: 'string', lengthMax: 255, required: true },
    password: { type: 'string', required: true, writeOnly: true },
    'user-groups': { type: 'list', of: { type: 'string' } },
  },
} as const satisfies Kind
