import type { Kind } from '../../kinds/kind.ts'
import { absoluteUrl, objectName } from '../../kinds/patterns.ts'

/**
 * Where the users of a SAML realm log in. All that has to be known of a provider, its certificates above all, is in
 * its metadata (SAML Metadata 2.0): a document that is uploaded here or fetched from the provider.
 */
export const samlIdentityProvider = {
  name: 'saml-identity-provider',
  title: 'SAML Identity Provider',
  description: 'A provider whose SAML assertions about the users of a realm are believed.',
  path: 'saml-identity-providers',
  parent: 'saml-authentication-service',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, pattern: objectName, required: true },
    'autoupdate-metadata': {
      type: 'yes-no',
      description:
        'Whether the metadata is fetched anew from time to time, so that new certificates are known.',
    },
    'metadata-content': {
      type: 'string',
      // The metadata of Active Directory Federation Services has some 80,000 characters.
      lengthMax: 256_000,
      writeOnly: true,
      description: 'The metadata itself: an XML document.',
    },
    'metadata-file': {
      type: 'string',
      lengthMax: 255,
      description: 'The name of the file from which the content is.',
    },
    'metadata-type': {
      type: 'choice',
      values: ['File Upload', 'URL'],
      description: 'Whether the metadata is given in metadata-content or fetched from metadata-url.',
    },
    'metadata-url': { type: 'string', lengthMax: 1024, pattern: absoluteUrl },
  },
} as const satisfies Kind
