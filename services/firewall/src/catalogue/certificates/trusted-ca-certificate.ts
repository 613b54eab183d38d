import type { Kind } from '../../kinds/kind.ts'

export const trustedCaCertificate = {
  name: 'trusted-ca-certificate',
  title: 'Trusted CA Certificate',
  description: '',
  path: 'certificates/trusted-ca-certificate',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 255, required: true },
    certificate: { type: 'string', createOnly: true, writeOnly: true },
    'common-name': { type: 'string', readOnly: true },
    'download-type': { type: 'choice', values: ['pem'], writeOnly: true },
    expiry: { type: 'string', readOnly: true },
    serial: { type: 'string', readOnly: true },
  },
} as const satisfies Kind
