import type { Kind } from '../../kinds/kind.ts'

export const signedCertificate = {
  name: 'signed-certificate',
  title: 'Signed Certificate',
  description: '',
  path: 'certificates/signed-certificate',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 255, required: true },
    'allow-private-key-export': { type: 'yes-no', createOnly: true },
    'assign-associated-key': { type: 'yes-no', createOnly: true },
    'auto-renew-cert': { type: 'yes-no' },
    'certificate-key': { type: 'string', createOnly: true, writeOnly: true },
    'certificate-password': { type: 'string', createOnly: true, writeOnly: true },
    'certificate-type': {
      type: 'choice',
      values: ['PEM Certificate', 'PKCS12 Token'],
      createOnly: true,
      writeOnly: true,
    },
    'common-name': { type: 'string', readOnly: true },
    'download-type': { type: 'choice', values: ['csr', 'pem', 'pkcs'], writeOnly: true },
    'encrypt-password': { type: 'string', writeOnly: true },
    expiry: { type: 'string', readOnly: true },
    'intermediary-certificates': { type: 'list', of: { type: 'string' }, createOnly: true, writeOnly: true },
    'key-type': { type: 'choice', values: ['ECDSA', 'RSA'], createOnly: true },
    'schedule-renewal-day': { type: 'string' },
    serial: { type: 'string', readOnly: true },
    'signed-certificate': { type: 'string', createOnly: true, writeOnly: true },
  },
  sections: {
    'certificates/ocsp-stapling': {
      title: 'OCSP Stapling',
      description: '',
      fields: {
        'cache-timeout': { type: 'integer' },
        'clock-skew': { type: 'string' },
        'error-timeout': { type: 'integer' },
        'issuer-certificate': { type: 'string', readOnly: true },
        'ocsp-issuer-certificate': { type: 'string', writeOnly: true },
        'ocsp-stapling': { type: 'yes-no' },
        'override-ocsp-responder': { type: 'string', lengthMax: 128 },
      },
    },
  },
} as const satisfies Kind
