import type { Section } from '../../../kinds/kind.ts'

export const trustedManagementCertificate = {
  title: 'Trusted Management Certificate',
  description: '',
  operations: ['update'],
  fields: {
    'certificate-chain-bundle': { type: 'string' },
    'certificate-password': { type: 'string', writeOnly: true },
    'certificate-type': { type: 'choice', values: ['pem', 'pkcs'] },
    'private-key': { type: 'string' },
    'signed-certificate': { type: 'string' },
  },
} as const satisfies Section
