import { clientCertificateCrl } from '../../features/client-certificates/client-certificate-crl.ts'
import type { Kind } from '../../kinds/kind.ts'
import { selfSignedCertificate } from './self-signed-certificate.ts'
import { signedCertificate } from './signed-certificate.ts'
import { trustedCaCertificate } from './trusted-ca-certificate.ts'
import { trustedServerCertificate } from './trusted-server-certificate.ts'

/** Certificates with keys of ours, certificates of others, and lists of revoked ones. */
export const certificatesKinds: readonly Kind[] = [
  selfSignedCertificate,
  signedCertificate,
  trustedCaCertificate,
  trustedServerCertificate,
  clientCertificateCrl,
]
