import type { Kind } from '../../kinds/kind.ts'

export const samlAuthenticationService = {
  name: 'saml-authentication-service',
  title: 'SAML Authentication Service',
  description: '',
  path: 'saml-services',
  identifiedBy: 'name',
  operations: ['list', 'create', 'read', 'delete'],
  fields: {
    name: { type: 'string', lengthMin: 1, lengthMax: 63, required: true },
  },
} as const satisfies Kind
