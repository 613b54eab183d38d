import 'reflect-metadata'
import { X509Certificate } from 'node:crypto'
import * as x509 from '@peculiar/x509'
import { type Authority, failureIn, readDirectory } from './acme-client.ts'
import { AcmeFailure } from './acme-failure.ts'
import { httpsCall, retryAfterMs } from './https-call.ts'
import { RenewalInfo, readResource } from './resources.ts'

const authorityKeyIdentifier = '2.5.29.35'

/** What an authority says of when a certificate is to be renewed; times in milliseconds since 1970. */
export interface SuggestedRenewal {
  readonly from: number
  readonly to: number
  /** After how long it may say something else; undefined where it says nothing of that. */
  readonly askAgainMs: number | undefined
}

/**
 * How a certificate is called where its authority is asked about it (RFC 9773, section 4.1): the identifier of the key that signed it, and
 * its serial number as its bytes are in DER, both base64url.
 *
 * @param pem of the certificate
 * @returns undefined where it does not say which key that was
 */
export function renewalName(pem: string): string | undefined {
  const certificate = new x509.X509Certificate(new X509Certificate(pem).raw)
  const extension = certificate.getExtension(authorityKeyIdentifier)
  const keyId = extension instanceof x509.AuthorityKeyIdentifierExtension ? extension.keyId : undefined
  if (keyId === undefined) return undefined
  const serial = Buffer.from(certificate.serialNumber, 'hex')
  const positive = (serial[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.of(0), serial]) : serial
  return `${Buffer.from(keyId, 'hex').toString('base64url')}.${positive.toString('base64url')}`
}

/**
 * Asks an authority when a certificate is to be renewed.
 *
 * @param now in milliseconds since 1970
 * @returns undefined where it says nothing of that
 * @throws AcmeFailure
 */
export async function suggestedRenewal(
  authority: Authority,
  pem: string,
  { now, signal }: { readonly now: number; readonly signal: AbortSignal },
): Promise<SuggestedRenewal | undefined> {
  const { renewalInfo } = await readDirectory(authority, signal)
  const name = renewalName(pem)
  if (renewalInfo === undefined || name === undefined) return undefined
  const { trusted } = authority
  const reply = await httpsCall(`${renewalInfo.replace(/\/$/, '')}/${name}`, {
    method: 'GET',
    trusted,
    signal,
  })
  if (reply.status !== 200) throw failureIn(reply)
  const { suggestedWindow } = readResource(RenewalInfo, reply.body)
  const [from, to] = [Date.parse(suggestedWindow.start), Date.parse(suggestedWindow.end)]
  if (!(from <= to)) throw new AcmeFailure('The authority suggests to renew between two times that are none.')
  return { from, to, askAgainMs: retryAfterMs(reply.headers, now) }
}
