import type { Kind } from '../../kinds/kind.ts'

export const inputType = {
  name: 'input-type',
  title: 'Custom Input Type',
  description: '',
  path: 'input-types',
  identifiedBy: 'name',
  operations: ['list', 'create', 'read', 'delete'],
  fields: {
    name: { type: 'string', lengthMax: 64, required: true },
  },
} as const satisfies Kind
