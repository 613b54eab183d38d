import type { X509Certificate } from 'node:crypto'
import { CertificateUnreadable } from './certificate-unreadable.ts'
import { nameInOneLine } from './distinguished-name.ts'
import { certificatePem, parseCertificate, parseCertificates } from './read-certificate.ts'

/** How many certificates may stand between a server's and its root. Each is compared with each. */
export const intermediatesMax = 32

/**
 * Puts intermediate certificates in the order in which a server presents them: each after one that it issued, the
 * root last if it is there. The server's own certificate and repetitions among them are left out, since people
 * paste whole chains. Dates are not looked at.
 *
 * @param certificate the server's, PEM or DER
 * @param intermediates PEM with any number of certificates in each, or DER
 * @returns one PEM block each
 * @throws CertificateUnreadable that names a certificate which issued none of the others
 */
export function orderIntermediates(
  certificate: string | Uint8Array,
  intermediates: readonly (string | Uint8Array)[],
): string[] {
  return orderChain(parseCertificate(certificate), intermediates.flatMap(parseCertificates)).map(
    certificatePem,
  )
}

/** The same with what was parsed already. */
export function orderChain(
  leaf: X509Certificate,
  intermediates: readonly X509Certificate[],
): X509Certificate[] {
  let unplaced = withoutRepetitions(leaf, intermediates)
  if (unplaced.length > intermediatesMax) {
    throw new CertificateUnreadable(`There are more than ${intermediatesMax} intermediate certificates.`)
  }
  const chain = [leaf]
  for (const issued of chain) {
    const issuers = unplaced.filter((candidate) => isIssuedBy(issued, candidate))
    chain.push(...issuers.sort((a, b) => Number(isRoot(a)) - Number(isRoot(b))))
    unplaced = unplaced.filter((candidate) => !issuers.includes(candidate))
  }
  const [stranger] = unplaced
  if (stranger) throw new CertificateUnreadable(strangerSentence(stranger))
  return chain.slice(1)
}

function withoutRepetitions(
  leaf: X509Certificate,
  certificates: readonly X509Certificate[],
): X509Certificate[] {
  const different = new Map(certificates.map((certificate) => [certificate.fingerprint256, certificate]))
  different.delete(leaf.fingerprint256)
  return [...different.values()]
}

/** Roots of the first version of X.509 do not say that they are authorities. */
function isIssuedBy(issued: X509Certificate, issuer: X509Certificate): boolean {
  return (issuer.ca || isRoot(issuer)) && issued.checkIssued(issuer) && issued.verify(issuer.publicKey)
}

function isRoot(certificate: X509Certificate): boolean {
  return certificate.subject === certificate.issuer
}

function strangerSentence({ subject, issuer }: X509Certificate): string {
  const [who, by] = [subject, issuer].map(nameInOneLine)
  return `The intermediate certificate "${who}", issued by "${by}", does not belong to the chain: it issued neither the certificate nor one of the other intermediate certificates.`
}
