import type { Kind } from '../../kinds/kind.ts'

export const identityTheftType = {
  name: 'identity-theft-type',
  title: 'Custom Identity Theft Protection',
  description: '',
  path: 'identity-types',
  identifiedBy: 'name',
  operations: ['list', 'create', 'read', 'delete'],
  fields: {
    name: { type: 'string', lengthMax: 64, required: true },
  },
} as const satisfies Kind
