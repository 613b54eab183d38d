import type { Kind } from '../../kinds/kind.ts'

export const oidcAuthenticationService = {
  name: 'oidc-authentication-service',
  title: 'OIDC Authentication Service',
  description: '',
  path: 'openidc-services',
  identifiedBy: 'name',
  operations: ['list', 'create', 'read', 'delete'],
  fields: {
    name: { type: 'string', lengthMin: 1, lengthMax: 63, required: true },
  },
} as const satisfies Kind
