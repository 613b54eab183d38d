import type { Kind } from '../../kinds/kind.ts'

export const oidcIdentityProvider = {
  name: 'oidc-identity-provider',
  title: 'OIDC Identity Provider',
  description: '',
  path: 'openidc-identity-providers',
  parent: 'oidc-authentication-service',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, required: true },
    'auth-endpoint': { type: 'string', lengthMax: 256, required: true },
    'client-id': { type: 'string', lengthMax: 256, required: true },
    'client-secret': { type: 'string', lengthMax: 256, required: true, writeOnly: true },
    'jwks-url': { type: 'string', lengthMax: 256, required: true },
    'openidc-issuer': { type: 'string', lengthMax: 256, required: true },
    'token-endpoint': { type: 'string', lengthMax: 256, required: true },
    'endpoint-configuration': { type: 'choice', values: ['Discovery URL', 'Manual'] },
    'metadata-url': { type: 'string', lengthMax: 256 },
    'type-openidc': { type: 'integer' },
    'userinfo-endpoint': { type: 'string' },
  },
} as const satisfies Kind
