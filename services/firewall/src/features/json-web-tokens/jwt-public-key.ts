import type { Kind } from '../../kinds/kind.ts'
import { objectName } from '../../kinds/patterns.ts'

/** Keys are given once, and never read back; other keys are another object. */
export const jwtPublicKey = {
  name: 'jwt-public-key',
  title: 'JWT Public Keys',
  description: 'Public keys that verify the signatures of JSON Web Tokens.',
  path: 'jwt-public-keys',
  identifiedBy: 'public-keys-name',
  fields: {
    'public-keys-name': { type: 'string', lengthMax: 255, pattern: objectName, required: true },
    'common-name': {
      type: 'string',
      readOnly: true,
      description: 'As the certificate says, where the key came in one.',
    },
    expiry: { type: 'string', readOnly: true, description: 'When that certificate ends.' },
    'key-contents': {
      type: 'string',
      lengthMax: 64_000,
      required: true,
      createOnly: true,
      writeOnly: true,
      description: 'The keys: PEM, certificates, or a JSON Web Key Set (RFC 7517).',
    },
  },
} as const satisfies Kind
