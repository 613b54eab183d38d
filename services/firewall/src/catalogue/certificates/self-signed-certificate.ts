import type { Kind } from '../../kinds/kind.ts'

export const selfSignedCertificate = {
  name: 'self-signed-certificate',
  title: 'Self Signed Certificate',
  description: '',
  path: 'certificates/self-signed-certificate',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 255, required: true },
    'common-name': { type: 'string', lengthMax: 64, required: true, createOnly: true },
    'country-code': { type: 'string', lengthMin: 2, lengthMax: 2, required: true, createOnly: true },
    'allow-private-key-export': { type: 'yes-no', createOnly: true },
    city: { type: 'string', lengthMax: 128, createOnly: true },
    'download-type': { type: 'choice', values: ['csr', 'pem', 'pkcs'], writeOnly: true },
    'elliptic-curve-name': {
      type: 'choice',
      values: ['secp256r1', 'secp384r1', 'secp521r1'],
      createOnly: true,
    },
    'encrypt-password': { type: 'string', writeOnly: true },
    expiry: { type: 'string', readOnly: true },
    'key-size': { type: 'choice', values: ['1024', '2048', '4096'], createOnly: true },
    'key-type': { type: 'choice', values: ['ECDSA', 'RSA'], createOnly: true },
    'organization-name': { type: 'string', lengthMax: 64, createOnly: true },
    'organizational-unit': { type: 'string', lengthMax: 64, createOnly: true },
    'san-certificate': { type: 'list', of: { type: 'string' }, createOnly: true },
    serial: { type: 'string', readOnly: true },
    state: { type: 'string', lengthMax: 128, createOnly: true },
  },
} as const satisfies Kind
