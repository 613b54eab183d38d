import type { Kind } from '../../kinds/kind.ts'

export const localGroup = {
  name: 'local-group',
  title: 'Local Groups',
  description: '',
  path: 'local-groups',
  identifiedBy: 'name',
  operations: ['list', 'create', 'read', 'delete'],
  fields: {
    name: { type: 'string', lengthMin: 1, lengthMax: 63, required: true },
  },
} as const satisfies Kind
