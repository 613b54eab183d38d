import type { Kind } from '../../kinds/kind.ts'

export const attackType = {
  name: 'attack-type',
  title: 'Custom Attack Type',
  description: '',
  path: 'attack-types',
  identifiedBy: 'name',
  operations: ['list', 'create', 'read', 'delete'],
  fields: {
    name: { type: 'string', lengthMax: 64, required: true },
  },
} as const satisfies Kind
