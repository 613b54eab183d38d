import type { Kind } from '../../kinds/kind.ts'
import { trustedCertificateFields } from './trusted-certificate-fields.ts'

/** Cannot be deleted as long as something trusts it. */
export const trustedCaCertificate = {
  name: 'trusted-ca-certificate',
  title: 'Trusted CA Certificate',
  description:
    'The certificate of an authority whose signatures on certificates of clients or servers are trusted.',
  path: 'certificates/trusted-ca-certificate',
  alsoAt: ['trusted-ca-certificate'],
  identifiedBy: 'name',
  fields: trustedCertificateFields,
} as const satisfies Kind
