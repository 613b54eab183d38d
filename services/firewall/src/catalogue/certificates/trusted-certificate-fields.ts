import type { Fields } from '../../kinds/kind.ts'
import { certificateName } from '../../kinds/patterns.ts'
import { certificateTextLengthMax } from './certificate-text.ts'
import { downloadOfCertificate } from './downloads.ts'
import { certificateFacts } from './facts.ts'

/** A certificate of somebody else. Its text never changes: another certificate is another object. */
export const trustedCertificateFields = {
  name: { type: 'string', lengthMax: 255, pattern: certificateName, required: true },
  certificate: {
    type: 'string',
    lengthMax: certificateTextLengthMax,
    required: true,
    createOnly: true,
    writeOnly: true,
    description: 'The certificate: PEM, or base64 of PEM or DER.',
  },
  'common-name': { type: 'string', readOnly: true, description: 'Whose certificate it is.' },
  ...downloadOfCertificate,
  ...certificateFacts,
} as const satisfies Fields
