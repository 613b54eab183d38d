import type { Kind } from '../../kinds/kind.ts'

export const samlIdentityProvider = {
  name: 'saml-identity-provider',
  title: 'SAML Identity Provider',
  description: '',
  path: 'saml-identity-providers',
  parent: 'saml-authentication-service',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 255, required: true },
    'autoupdate-metadata': { type: 'yes-no' },
    'metadata-content': { type: 'string', writeOnly: true },
    'metadata-file': { type: 'string' },
    'metadata-type': { type: 'choice', values: ['File Upload', 'URL'] },
    'metadata-url': { type: 'string' },
  },
} as const satisfies Kind
