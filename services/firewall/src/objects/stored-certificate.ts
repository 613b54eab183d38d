import type { ConfigurationObject } from './configuration-object.ts'

/** A certificate as its object holds it, all PEM. */
export interface StoredCertificate {
  readonly certificate: string
  /** PKCS #8; undefined for certificates of others. */
  readonly privateKey: string | undefined
  /** In the order in which they are presented. */
  readonly intermediates: readonly string[]
}

/** @returns undefined when the object holds no certificate, as after an import that left secrets out */
export function readStoredCertificate({ kind, content }: ConfigurationObject): StoredCertificate | undefined {
  const { values } = content
  const isSigned = kind.name === 'signed-certificate'
  const certificate = values[isSigned ? 'signed-certificate' : 'certificate']
  const privateKey = values[isSigned ? 'certificate-key' : 'private-key']
  if (certificate === undefined) return undefined
  return {
    certificate: String(certificate),
    privateKey: privateKey === undefined ? undefined : String(privateKey),
    intermediates: [values['intermediary-certificates'] ?? []].flat().map(String),
  }
}

/** Whether the key may leave the firewall. */
export function mayExportKey({ content }: ConfigurationObject): boolean {
  return content.values['allow-private-key-export'] === 'Yes'
}

/** The member that says from which authority a certificate was obtained. */
export const originMember = 'obtained-from'

/** The directory of the authority that it was obtained from by ACME; undefined for one that was uploaded or made here. */
export function originOf({ content }: ConfigurationObject): string | undefined {
  const origin = content.values[originMember]
  return origin === undefined ? undefined : String(origin)
}

/** Whether another one takes its place in time, without anybody. */
export function isRenewedByItself(object: ConfigurationObject): boolean {
  return originOf(object) !== undefined && object.content.values['auto-renew-cert'] !== 'No'
}
