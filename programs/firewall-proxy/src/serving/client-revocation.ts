import { X509Certificate } from 'node:crypto'
import type { TLSSocket } from 'node:tls'
import { AddressGuard, type SnapshotClientCertificates } from '@palisade/proxy-protocol'
import { describe } from '@palisade/start-up'
import { ProviderUnavailable, providerFetch } from '../filters/authentication/provider-fetch.ts'
import { type CertificateStatus, readStatus, statusRequest } from '../revocation/certificate-status.ts'

const timeoutMs = 5_000
const answerSizeMax = 64 * 1024
/** An answer is used for an hour at most, in milliseconds. */
const cacheMaxMs = 60 * 60_000
/** Certificates whose answers are cached. */
const answersMax = 10_000

/** What is asked, of whom, and who may sign the answer. */
type Responder = NonNullable<SnapshotClientCertificates['statusResponder']>

/**
 * Asks whether certificates of clients were revoked, by OCSP, and remembers the answers while they count. Without an answer a client is
 * refused: whoever has a revoked certificate could keep the answer from us.
 */
export class ClientRevocation {
  readonly #responder: Responder
  readonly #authorities: readonly X509Certificate[]
  readonly #signers: readonly X509Certificate[]
  readonly #fetch
  /** By fingerprint. */
  readonly #answers = new Map<string, { readonly answer: CertificateStatus; readonly until: number }>()
  readonly #pending = new Map<string, Promise<CertificateStatus>>()

  constructor(responder: Responder, authorities: readonly string[]) {
    this.#responder = responder
    this.#authorities = authorities.map((authority) => new X509Certificate(authority))
    this.#signers = responder.signers.map((signer) => new X509Certificate(signer))
    this.#fetch = providerFetch(new AddressGuard(responder.forbidden), {}, answerSizeMax)
  }

  /** Why a client is refused, after "The certificate …"; undefined where its certificate is good. */
  async refusalOf(certificate: X509Certificate, socket: TLSSocket): Promise<string | undefined> {
    try {
      const { status } = await this.#statusOf(certificate, () => this.#issuerOf(certificate, socket))
      if (status === 'good') return undefined
      return status === 'revoked' ? 'was revoked' : 'is not taken: its authority does not know it'
    } catch (error) {
      const reason = error instanceof ProviderUnavailable ? error.message.replace(/\.$/, '') : describe(error)
      return `is not taken, since nobody says whether it was revoked: ${reason}`
    }
  }

  async #statusOf(certificate: X509Certificate, issuerOf: () => X509Certificate): Promise<CertificateStatus> {
    const { fingerprint256 } = certificate
    const cached = this.#answers.get(fingerprint256)
    if (cached && cached.until > Date.now()) return cached.answer
    const request = this.#pending.get(fingerprint256) ?? this.#ask(certificate, issuerOf())
    this.#pending.set(fingerprint256, request)
    try {
      const answer = await request
      this.#remember(fingerprint256, answer)
      return answer
    } finally {
      this.#pending.delete(fingerprint256)
    }
  }

  #remember(fingerprint: string, answer: CertificateStatus): void {
    const [oldest] = this.#answers.keys()
    if (this.#answers.size >= answersMax && oldest !== undefined) this.#answers.delete(oldest)
    const until = Math.min(answer.expiresAt ?? 0, Date.now() + cacheMaxMs)
    this.#answers.delete(fingerprint)
    this.#answers.set(fingerprint, { answer, until })
  }

  async #ask(certificate: X509Certificate, issuer: X509Certificate): Promise<CertificateStatus> {
    const url = this.#responder.url || responderNamedBy(certificate)
    if (url === undefined || !URL.canParse(url)) throw new Error('no responder is named for it')
    const response = await this.#fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/ocsp-request', accept: 'application/ocsp-response' },
      body: statusRequest(certificate, issuer),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (response.status !== 200) throw new Error(`the responder answers with the status ${response.status}`)
    const bytes = Buffer.from(await response.arrayBuffer())
    return readStatus(bytes, { certificate, issuer, signers: this.#signers }, Date.now())
  }

  /** One of the authorities, or what the client has sent with its certificate, which OpenSSL has checked. */
  #issuerOf(certificate: X509Certificate, socket: TLSSocket): X509Certificate {
    const sent = socket.getPeerCertificate(true).issuerCertificate?.raw
    const all = [...this.#authorities, ...(sent === undefined ? [] : [new X509Certificate(sent)])]
    const issuer = all.find((one) => certificate.checkIssued(one) && certificate.verify(one.publicKey))
    if (issuer === undefined) throw new Error('its issuer is not known')
    return issuer
  }
}

/** The first responder that the certificate names (Authority Information Access; RFC 5280, section 4.2.2.1). */
function responderNamedBy({ infoAccess = '' }: X509Certificate): string | undefined {
  return /^OCSP - URI:(\S+)$/m.exec(infoAccess)?.[1]
}
