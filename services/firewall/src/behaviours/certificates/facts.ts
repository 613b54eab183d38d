import type { CertificateDescription } from '../../certificates/index.ts'
import type { PreparedValues } from '../../changes/behaviour.ts'

/** What is shown of a certificate that came from outside, by field name. */
export function factsOf(certificate: CertificateDescription): PreparedValues {
  return { 'common-name': certificate.commonName, ...lifeOf(certificate) }
}

/** When it ends, and its number. */
export function lifeOf({ notAfter, serialNumber }: CertificateDescription): PreparedValues {
  return { expiry: shownTime(notAfter), serial: serialNumber }
}

/** "2027-01-31 12:00:00 GMT". */
export function shownTime(time: Date): string {
  return `${time.toISOString().slice(0, 19).replace('T', ' ')} GMT`
}
