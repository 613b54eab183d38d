import type { Kind } from '../../kinds/kind.ts'
import { trustedCertificateFields } from './trusted-certificate-fields.ts'

/** For servers whose certificates no authority has signed that is trusted here. */
export const trustedServerCertificate = {
  name: 'trusted-server-certificate',
  title: 'Trusted Server Certificate',
  description: 'The certificate of one server behind the firewall, trusted as it is.',
  path: 'certificates/trusted-server-certificate',
  alsoAt: ['trusted-server-certificate'],
  identifiedBy: 'name',
  fields: trustedCertificateFields,
} as const satisfies Kind
