import type { Kind } from '../../kinds/kind.ts'

export const rsaSecuridAuthenticationService = {
  name: 'rsa-securid-authentication-service',
  title: 'RSA SecurID Authentication Service',
  description: '',
  path: 'rsa-securid-services',
  identifiedBy: 'name',
  operations: ['list', 'create', 'read', 'delete'],
  fields: {
    name: { type: 'string', lengthMin: 1, lengthMax: 63, required: true },
  },
} as const satisfies Kind
