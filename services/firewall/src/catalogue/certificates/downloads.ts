import type { Fields } from '../../kinds/kind.ts'

/** What an update with operation=download is to answer, for certificates whose keys are here. */
export const downloadWithKey = {
  'download-type': {
    type: 'choice',
    values: ['csr', 'pem', 'pkcs'],
    writeOnly: true,
    transient: true,
    description: 'Whether a signing request, the certificate, or the certificate with its key is downloaded.',
  },
  'encrypt-password': {
    type: 'string',
    lengthMax: 128,
    writeOnly: true,
    transient: true,
    description: 'Protects the private key in the file that is downloaded.',
  },
} as const satisfies Fields

/** The same for certificates of others. */
export const downloadOfCertificate = {
  'download-type': {
    type: 'choice',
    values: ['pem'],
    writeOnly: true,
    transient: true,
    description: 'What an update with operation=download answers: the certificate.',
  },
} as const satisfies Fields
