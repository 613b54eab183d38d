import type { Kind } from '../../kinds/kind.ts'

export const trustedHostGroup = {
  name: 'trusted-host-group',
  title: 'Trusted Host Group',
  description: '',
  path: 'trusted-host-groups',
  identifiedBy: 'name',
  operations: ['list', 'create', 'read', 'delete'],
  fields: {
    name: { type: 'string', lengthMax: 64, required: true },
  },
} as const satisfies Kind
