import type { Section } from '../../../kinds/kind.ts'

const document = { type: 'string', lengthMax: 64_000, writeOnly: true } as const

export const trustedManagementCertificate = {
  title: 'Trusted Management Certificate',
  description: 'A certificate from an authority, for the management of the system; given, never read back.',
  operations: ['update'],
  fields: {
    'certificate-chain-bundle': { ...document, description: 'The certificates above it, as PEM.' },
    'certificate-password': { type: 'string', lengthMax: 1024, writeOnly: true, transient: true },
    'certificate-type': {
      type: 'choice',
      values: ['pem', 'pkcs'],
      writeOnly: true,
      transient: true,
      description: 'PEM, or a PKCS #12 file in base64.',
    },
    'private-key': document,
    'signed-certificate': document,
  },
} as const satisfies Section
