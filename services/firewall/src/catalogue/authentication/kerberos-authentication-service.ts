import type { Kind } from '../../kinds/kind.ts'

export const kerberosAuthenticationService = {
  name: 'kerberos-authentication-service',
  title: 'Kerberos Authentication Service',
  description: '',
  path: 'kerberos-services',
  identifiedBy: 'name',
  operations: ['list', 'create', 'read', 'delete'],
  fields: {
    name: { type: 'string', lengthMin: 1, lengthMax: 63, required: true },
  },
} as const satisfies Kind
