import type { Kind } from '../../kinds/kind.ts'

export const ldapAuthenticationService = {
  name: 'ldap-authentication-service',
  title: 'LDAP Authentication Service',
  description: '',
  path: 'ldap-services',
  identifiedBy: 'name',
  operations: ['list', 'create', 'read', 'delete'],
  fields: {
    name: { type: 'string', lengthMin: 1, lengthMax: 63, required: true },
  },
} as const satisfies Kind
