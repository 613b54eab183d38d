import { X509Certificate } from 'node:crypto'
import { namesOfExtension } from './alternative-names.ts'
import { CertificateUnreadable, orUnreadable } from './certificate-unreadable.ts'
import { commonNameOf, nameInOneLine } from './distinguished-name.ts'
import { type KeyType, keyTypeOf } from './key-type.ts'
import { type PemBlock, pemBlocks, toPem } from './pem.ts'

/** What is told about a certificate. */
export interface CertificateDescription {
  /** The most specific common name of the subject; not every certificate has one. */
  readonly commonName: string | undefined
  /** As "C=US, O=Example, CN=www.example.com", with the escapes of RFC 2253. */
  readonly subject: string
  readonly issuer: string
  /** Hexadecimal digits in capitals, as openssl prints them. */
  readonly serialNumber: string
  readonly notBefore: Date
  readonly notAfter: Date
  readonly keyType: KeyType
  /** Each with its sort in front: "DNS:www.example.com", "IP Address:192.0.2.1", "email:…", "URI:…". */
  readonly alternativeNames: readonly string[]
  /** Hexadecimal digits in capitals, two by two with colons. */
  readonly fingerprintSha256: string
  /** Whether it may sign other certificates. */
  readonly isCa: boolean
  /** The certificate itself, one block. */
  readonly pem: string
}

const certificateLabels = ['CERTIFICATE', 'X509 CERTIFICATE', 'TRUSTED CERTIFICATE']

/** How many certificates one text may hold; a public trust list has some 150. */
export const certificatesMax = 500

/**
 * Reads one certificate: PEM, of which the first certificate counts, or DER.
 *
 * @throws CertificateUnreadable
 */
export function readCertificate(pemOrDer: string | Uint8Array): CertificateDescription {
  return describe(parseCertificate(pemOrDer))
}

/**
 * Reads every certificate of a bundle or chain, in the order of the text; other blocks, such as a key, are passed over.
 *
 * @throws CertificateUnreadable when there is none, when one of them cannot be read, or when there are too many
 */
export function readCertificates(pemOrDer: string | Uint8Array): CertificateDescription[] {
  return parseCertificates(pemOrDer).map(describe)
}

/** The first certificate of PEM, or that of DER, for node:crypto. */
export function parseCertificate(pemOrDer: string | Uint8Array): X509Certificate {
  return parseOne(certificateDers(pemOrDer)[0])
}

/** All certificates of PEM, or that of DER, for node:crypto. */
export function parseCertificates(pemOrDer: string | Uint8Array): X509Certificate[] {
  return certificateDers(pemOrDer).map(parseOne)
}

/** The certificate as one PEM block. */
export function certificatePem(certificate: X509Certificate): string {
  return toPem({ label: 'CERTIFICATE', der: certificate.raw })
}

/** A list with at least one item. */
function certificateDers(pemOrDer: string | Uint8Array): Uint8Array[] {
  if (typeof pemOrDer !== 'string') return [pemOrDer]
  const blocks = pemBlocks(pemOrDer)
  const certificates = blocks.filter(({ label }) => certificateLabels.includes(label))
  if (certificates.length === 0) throw new CertificateUnreadable(noCertificate(blocks))
  if (certificates.length > certificatesMax) {
    throw new CertificateUnreadable(`The text holds more than ${certificatesMax} certificates.`)
  }
  return certificates.map(({ der }) => der)
}

function noCertificate(blocks: readonly PemBlock[]): string {
  const [first] = blocks
  return first
    ? `The text holds a PEM block "${first.label}", but no certificate ("-----BEGIN CERTIFICATE-----").`
    : 'The text holds no certificate: expected was a block from "-----BEGIN CERTIFICATE-----" to "-----END CERTIFICATE-----".'
}

/** Whoever is given it may ask for its dates and its public key. */
function parseOne(der: Uint8Array | undefined): X509Certificate {
  const certificate = orUnreadable(
    'The certificate is damaged: its content is not that of an X.509 certificate.',
    () => new X509Certificate(der ?? ''),
  )
  const dates = [certificate.validFromDate, certificate.validToDate]
  if (dates.some((date) => Number.isNaN(date.getTime()))) {
    throw new CertificateUnreadable('The certificate is damaged: its dates of validity cannot be read.')
  }
  orUnreadable(
    'The public key of the certificate is damaged, or of a sort that is not known.',
    () => certificate.publicKey,
  )
  return certificate
}

function describe(certificate: X509Certificate): CertificateDescription {
  return orUnreadable('The certificate is damaged: what it says of itself cannot be read.', () => ({
    commonName: commonNameOf(certificate.subject),
    subject: nameInOneLine(certificate.subject),
    issuer: nameInOneLine(certificate.issuer),
    serialNumber: certificate.serialNumber,
    notBefore: certificate.validFromDate,
    notAfter: certificate.validToDate,
    keyType: keyTypeOf(certificate.publicKey),
    alternativeNames: namesOfExtension(certificate.subjectAltName),
    fingerprintSha256: certificate.fingerprint256,
    isCa: certificate.ca,
    pem: certificatePem(certificate),
  }))
}
