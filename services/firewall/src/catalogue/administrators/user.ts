import type { Kind } from '../../kinds/kind.ts'

export const user = {
  name: 'user',
  title: 'User',
  description: '',
  path: 'users',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 255, required: true },
    'email-address': { type: 'string', required: true },
    role: { type: 'reference', to: 'administrator-role', required: true },
    password: { type: 'string', writeOnly: true },
    're-enter-password': { type: 'string', writeOnly: true },
  },
} as const satisfies Kind
