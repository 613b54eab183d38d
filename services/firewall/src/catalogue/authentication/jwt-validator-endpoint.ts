import type { Kind } from '../../kinds/kind.ts'

export const jwtValidatorEndpoint = {
  name: 'jwt-validator-endpoint',
  title: 'JWT OIDC OAUTH Validator',
  description: '',
  path: 'jwt-validator-endpoints',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, required: true },
    'auth-mechanism': { type: 'string', lengthMax: 31 },
    'bearer-access-token': { type: 'string', lengthMax: 1024 },
    'client-id': { type: 'string', lengthMax: 255 },
    'client-secret': { type: 'string', lengthMax: 255, writeOnly: true },
    endpoint: { type: 'string', lengthMax: 255 },
    'max-cache-size': { type: 'string' },
    'post-params': { type: 'string' },
    'public-keys-kid': { type: 'string' },
    'shared-keys-kid': { type: 'string' },
    'token-param-name': { type: 'string' },
    type: { type: 'choice', values: ['External', 'Internal'] },
    'validate-server': { type: 'yes-no' },
    'verify-jwks-uri': { type: 'string', lengthMax: 255 },
    'verify-public-keys': { type: 'string' },
    'verify-shared-keys': { type: 'string', writeOnly: true },
  },
} as const satisfies Kind
