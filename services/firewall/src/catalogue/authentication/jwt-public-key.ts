import type { Kind } from '../../kinds/kind.ts'
import { objectName } from '../../kinds/patterns.ts'

export const jwtPublicKey = {
  name: 'jwt-public-key',
  title: 'JWT Public Keys',
  description: 'A certificate whose public key verifies the signatures of JSON Web Tokens.',
  path: 'jwt-public-keys',
  identifiedBy: 'public-keys-name',
  fields: {
    'public-keys-name': { type: 'string', lengthMax: 255, pattern: objectName, required: true },
    'common-name': { type: 'string', readOnly: true, description: 'As the certificate says.' },
    expiry: { type: 'string', readOnly: true, description: 'When the certificate ends.' },
    'key-contents': {
      type: 'string',
      lengthMax: 64_000,
      required: true,
      createOnly: true,
      writeOnly: true,
      description: 'The certificate, in PEM.',
    },
  },
} as const satisfies Kind
