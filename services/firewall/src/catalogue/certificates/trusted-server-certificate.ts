import type { Kind } from '../../kinds/kind.ts'

export const trustedServerCertificate = {
  name: 'trusted-server-certificate',
  title: 'Trusted Server Certificate',
  description: '',
  path: 'certificates/trusted-server-certificate',
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
