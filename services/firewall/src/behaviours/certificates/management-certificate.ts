import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { valuesOf } from '../../objects/content.ts'

/** The section of the system object that holds the certificate which the system signs by itself. */
export const selfSignedSection = 'self-signed-management-certificate'

/** The section of the system object that holds the certificate which an authority signed. */
export const trustedSection = 'trusted-management-certificate'

/** A certificate, followed by those above it, and its private key, all PEM. */
export interface ManagementCertificate {
  readonly cert: string
  readonly key: string
}

/**
 * The certificate that administrators have chosen for the management's own HTTPS listener.
 *
 * @returns undefined when none was chosen, or the chosen one is not there
 */
export function managementCertificate({ content }: ConfigurationObject): ManagementCertificate | undefined {
  const chosen = String(valuesOf(content, 'secure-administration')['certificate-type'] ?? '')
  const { section, member } = chosen.startsWith('Trusted')
    ? { section: trustedSection, member: 'signed-certificate' }
    : { section: chosen.startsWith('Private') ? selfSignedSection : '', member: 'certificate' }
  const values = valuesOf(content, section)
  const { [member]: certificate, 'private-key': key, 'certificate-chain-bundle': chain = '' } = values
  return certificate === undefined || key === undefined
    ? undefined
    : { cert: `${certificate}${chain}`, key: String(key) }
}
