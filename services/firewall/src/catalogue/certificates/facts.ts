import type { Fields } from '../../kinds/kind.ts'

/** What is read from a certificate and shown beside its name. */
export const certificateFacts = {
  expiry: { type: 'string', readOnly: true, description: 'When the certificate ends.' },
  serial: { type: 'string', readOnly: true, description: "The certificate's serial number." },
} as const satisfies Fields
