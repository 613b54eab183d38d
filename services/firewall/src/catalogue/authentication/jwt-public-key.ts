import type { Kind } from '../../kinds/kind.ts'

export const jwtPublicKey = {
  name: 'jwt-public-key',
  title: 'JWT Public Keys',
  description: '',
  path: 'jwt-public-keys',
  identifiedBy: 'public-keys-name',
  fields: {
    'public-keys-name': { type: 'string', lengthMax: 255, required: true },
    'common-name': { type: 'string', readOnly: true },
    expiry: { type: 'string', readOnly: true },
    'key-contents': { type: 'string', createOnly: true, writeOnly: true },
  },
} as const satisfies Kind
