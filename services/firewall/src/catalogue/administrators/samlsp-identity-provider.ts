import type { Kind } from '../../kinds/kind.ts'

export const samlspIdentityProvider = {
  name: 'samlsp-identity-provider',
  title: 'SAMLSP IDP',
  description: '',
  path: 'samlsp-rba-identity-providers',
  operations: ['read', 'create', 'update'],
  fields: {
    'idp-attribute-name': { type: 'string', lengthMin: 3, lengthMax: 200, required: true },
    name: { type: 'string', required: true, createOnly: true },
    'autoupdate-metadata': { type: 'yes-no' },
    'idp-local-id': { type: 'choice', values: ['Email Address', 'Given Name', 'Groups', 'Name'] },
    'metadata-content': { type: 'string', writeOnly: true },
    'metadata-file': { type: 'string' },
    'metadata-type': { type: 'choice', values: ['File Upload', 'URL'] },
    'metadata-url': { type: 'string' },
  },
} as const satisfies Kind
