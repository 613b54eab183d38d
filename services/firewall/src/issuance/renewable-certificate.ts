import { X509Certificate } from 'node:crypto'
import type { Upload } from '../behaviours/certificates/read-upload.ts'
import { readCertificate } from '../certificates/index.ts'
import { type Life, ownRenewalTime } from './renewal-time.ts'

/** What an authority has signed. */
export interface ObtainedCertificate {
  /** The address of the authority's directory. */
  readonly directory: string
  readonly pem: string
  readonly serial: string
  readonly life: Life
}

/** A certificate that is renewed in time, or still to be obtained. */
export interface RenewableCertificate {
  /** By which the queue knows it. */
  readonly name: string
  /** What operators call it: "certificate shop". */
  readonly title: string
  /** In ASCII and lower case, of which the first label may be "*". */
  readonly hosts: readonly string[]
  /** How many days before its end an administrator wants it to be renewed; undefined where nobody has chosen that. */
  readonly daysBefore: number | undefined
  /** Undefined while there is none. */
  readonly obtained: ObtainedCertificate | undefined
}

/** Where certificates lie that are renewed. */
export interface CertificateSource {
  /** Takes over what other servers have written. */
  refresh(): Promise<void>
  /** The same value as long as {@link all} is the same. */
  version(): unknown
  all(): readonly RenewableCertificate[]
  /** @returns undefined for one that is not renewed here any more */
  find(name: string): RenewableCertificate | undefined
  /** Puts a new one in the place of the one that it was obtained for, and of no other: somebody else may have replaced that. */
  replace(certificate: RenewableCertificate, upload: Upload, directory: string): Promise<void>
}

/** @param pem of the certificate alone @param directory of the authority that has signed it */
export function obtainedCertificate(pem: string, directory: string): ObtainedCertificate {
  const { serialNumber, validFromDate, validToDate } = new X509Certificate(pem)
  const life = { begin: validFromDate.getTime(), end: validToDate.getTime() }
  return { directory, pem, serial: serialNumber, life }
}

/** The hosts that a certificate is for. */
export function hostsIn(pem: string): string[] {
  return readCertificate(pem).alternativeNames.map((name) => name.replace(/^DNS:/, '').toLowerCase())
}

/** When it is renewed unless the authority has a word in that, in milliseconds since 1970; 0 for one that is not there yet. */
export function renewalTime({
  obtained,
  daysBefore,
}: Pick<RenewableCertificate, 'obtained' | 'daysBefore'>): number {
  return obtained === undefined ? 0 : ownRenewalTime(obtained.life, daysBefore, Math.random())
}
