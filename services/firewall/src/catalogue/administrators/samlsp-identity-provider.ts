import type { Kind } from '../../kinds/kind.ts'
import { absoluteUrl } from '../../kinds/patterns.ts'

/** There is one, so creating it and changing it are the same, and its name is a member like any other. */
export const samlspIdentityProvider = {
  name: 'samlsp-identity-provider',
  title: 'SAMLSP IDP',
  description: 'The SAML identity provider that vouches for administrators.',
  path: 'samlsp-rba-identity-providers',
  operations: ['read', 'create', 'update'],
  fields: {
    'idp-attribute-name': {
      type: 'string',
      lengthMin: 3,
      lengthMax: 200,
      description: 'The attribute of an assertion that says who logs in.',
    },
    name: { type: 'string', lengthMax: 255 },
    'autoupdate-metadata': { type: 'yes-no' },
    'idp-local-id': {
      type: 'choice',
      values: ['Email Address', 'Given Name', 'Groups', 'Name'],
      description: 'What of an administrator the attribute holds.',
    },
    'metadata-content': {
      type: 'string',
      lengthMax: 64_000,
      writeOnly: true,
      description: "The provider's metadata, as XML.",
    },
    'metadata-file': { type: 'string', lengthMax: 255, description: 'The name of the uploaded file.' },
    'metadata-type': { type: 'choice', values: ['File Upload', 'URL'] },
    'metadata-url': { type: 'string', lengthMax: 2048, pattern: absoluteUrl },
  },
} as const satisfies Kind
