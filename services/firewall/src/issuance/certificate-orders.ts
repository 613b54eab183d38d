/**
 * How a certificate is obtained:
 *
 *     account ──> order ──> proofs, in the snapshots of proxies or in DNS ──> the authority looks ──> certificate
 *
 * The proofs are taken away in the end, whatever has come of it.
 */
import { type AccountKey, AcmeClient, AcmeFailure, type PlacedOrder } from '../acme/index.ts'
import type { Upload } from '../behaviours/certificates/read-upload.ts'
import {
  CertificateUnreadable,
  keyMatchesCertificate,
  makeNewRequest,
  orderIntermediates,
  readCertificates,
} from '../certificates/index.ts'
import type { AuthorityAccounts } from './authority-accounts.ts'
import type { OngoingOrder, OrderMemory } from './order-memory.ts'
import { type Proof, type ProofDependencies, Proofs, proofOf } from './proofs.ts'
import type { ChallengeType } from './settings.ts'

/** How long the authority's answer to a new order is waited for once the order is broken off, in milliseconds. */
const placingGraceMs = 5_000

/** What an authority says of a proof that it does not see, so that another sort may do. */
const unseenProofs: ReadonlySet<string> = new Set([
  'connection',
  'dns',
  'incorrectResponse',
  'tls',
  'unauthorized',
])

/** What listens where authorities look for proofs. */
export interface Listening {
  readonly plain: boolean
  readonly tls: boolean
}

/** What orders are placed with. */
export interface OrderDependencies extends ProofDependencies {
  readonly accounts: AuthorityAccounts
  /** What listens for authorities: something in plain text, and something over TLS. */
  readonly listeners: () => Listening
}

/** What is ordered, and how it is proven that its names are held. */
interface Wanted {
  readonly names: readonly string[]
  readonly types: readonly ChallengeType[]
  readonly replaced: string | undefined
  readonly memory: OrderMemory | undefined
}

interface Ordered {
  readonly placed: PlacedOrder
  readonly ongoing: OngoingOrder
}

/** What an order is carried on with. */
interface Ordering {
  readonly client: AcmeClient
  readonly key: AccountKey
  readonly wanted: Wanted
  readonly signal: AbortSignal
}

/** Obtains certificates from the authority of the configuration. */
export class CertificateOrders {
  readonly #deps: OrderDependencies
  readonly #proofs: Proofs

  constructor(deps: OrderDependencies) {
    this.#deps = deps
    this.#proofs = new Proofs(deps)
  }

  /**
   * Obtains a certificate. Where the authority does not see one sort of proof, the next one is tried.
   *
   * @param names hosts in ASCII and lower case, of which the first label may be "*"
   * @param replaced see `AcmeClient.placeOrder`
   * @param memory of the order that a server has placed which died over it; an order that it has is gone on with. Nothing is remembered when left out
   * @throws AcmeFailure, or what the signal was aborted for
   */
  async obtain(
    names: readonly string[],
    replaced: string | undefined,
    signal: AbortSignal,
    memory?: OrderMemory,
  ): Promise<Upload> {
    const possible = this.#possible(names)
    for (const [index, type] of possible.entries()) {
      try {
        const types = [type, ...possible.filter((one) => one !== type)]
        return await this.#obtain({ names, types, replaced, memory }, signal)
      } catch (error) {
        if (!isUnseen(error) || index === possible.length - 1) throw error
        this.#deps.log.info(
          { names, challenge: type, reason: error.message },
          'another sort of proof is tried',
        )
      }
    }
    throw new AcmeFailure('Nothing proves to the authority that these names are held.')
  }

  /** How names can be proven here, in the order in which that is tried. @throws AcmeFailure when one cannot be */
  #possible(names: readonly string[]): ChallengeType[] {
    const { settings, listeners } = this.#deps
    const { plain, tls } = listeners()
    const is = {
      'http-01': plain || settings.hasChallengeListener,
      'tls-alpn-01': tls,
      'dns-01': settings.dnsHook !== undefined,
    }
    const possible = settings.challenges.filter((type) => is[type])
    const wildcard = names.find((name) => name.startsWith('*.'))
    if (wildcard !== undefined && !possible.includes('dns-01')) {
      throw new AcmeFailure(
        `The name ${wildcard} stands for many hosts, which is proven by DNS alone (dns-01): name a program that sets records in firewall.acme.dnsHook${settings.challenges.includes('dns-01') ? '' : ', and dns-01 in firewall.acme.challenges'}.`,
      )
    }
    if (possible.length > 0) return wildcard !== undefined && names.length === 1 ? ['dns-01'] : possible
    throw new AcmeFailure(
      `Nothing could answer the authority by ${settings.challenges.join(', ')}: it asks at a service of the type HTTP or Redirect Service at port 80 (http-01), at one of the type HTTPS at port 443 that has some certificate already (tls-alpn-01), or in DNS by a program in firewall.acme.dnsHook (dns-01).`,
    )
  }

  async #obtain(wanted: Wanted, signal: AbortSignal): Promise<Upload> {
    const { settings, accounts, log } = this.#deps
    const { authority, email, externalAccount } = settings
    const key = await accounts.keyFor(authority.directory)
    const client = new AcmeClient(authority, key, signal)
    await client.openAccount(email, externalAccount)
    const resumed = await this.#resumed(client, wanted)
    if (resumed !== undefined) {
      try {
        return await this.#completed(resumed, { client, key, wanted, signal })
      } catch (error) {
        // The authority may have looked while nobody was there to show the proof.
        if (!isUnseen(error)) throw error
        log.info({ names: wanted.names, reason: error.message }, 'another order is placed')
      }
    }
    const ordered = await this.#placed(client, wanted, signal)
    return this.#completed(ordered, { client, key, wanted, signal })
  }

  /** Proves what an order asks for, and has its certificate signed. */
  async #completed({ placed, ongoing }: Ordered, { client, key, wanted, signal }: Ordering): Promise<Upload> {
    const proofs: Proof[] = []
    for (const url of placed.order.authorizations) {
      const authorization = await client.authorization(url)
      if (authorization.status === 'pending') proofs.push(proofOf(authorization, url, wanted.types))
    }
    const takeAway = await this.#proofs.show(proofs, key, signal)
    try {
      for (const { challenge } of proofs) await client.answerChallenge(challenge)
      for (const { authorization } of proofs) await client.untilProven(authorization)
      const chain = await client.finalize(placed, Buffer.from(ongoing.request, 'base64'))
      return checked(chain, ongoing.privateKey, wanted.names)
    } finally {
      await takeAway()
    }
  }

  /** The order that a server has left behind, unless it has come to nothing. */
  async #resumed(client: AcmeClient, { names, memory }: Wanted): Promise<Ordered | undefined> {
    const ongoing = await memory?.load()
    const { directory } = this.#deps.settings.authority
    const isSame = ongoing?.directory === directory && ongoing.names.join() === names.join()
    if (ongoing === undefined || !isSame) return undefined
    try {
      const placed = await client.order(ongoing.url)
      return placed.order.status === 'invalid' ? undefined : { placed, ongoing }
    } catch (error) {
      // It was another account's, or is forgotten.
      if (error instanceof AcmeFailure && !error.isAway && !error.isRateLimit) return undefined
      throw error
    }
  }

  /** Where the order is remembered, its answer is waited for also when it is broken off: whoever goes on would place another one. */
  async #placed(
    client: AcmeClient,
    { names, replaced, memory }: Wanted,
    signal: AbortSignal,
  ): Promise<Ordered> {
    const { requestDer, privateKeyPem } = await makeNewRequest(names)
    signal.throwIfAborted()
    const placing = memory === undefined ? signal : abortedAfter(signal, placingGraceMs)
    const placed = await client.placeOrder(names, replaced, placing)
    const ongoing = {
      url: placed.url,
      directory: this.#deps.settings.authority.directory,
      names,
      request: Buffer.from(requestDer).toString('base64'),
      privateKey: privateKeyPem,
    }
    await memory?.save(ongoing)
    signal.throwIfAborted()
    return { placed, ongoing }
  }
}

function isUnseen(error: unknown): error is AcmeFailure {
  return error instanceof AcmeFailure && unseenProofs.has(error.type)
}

/** Is aborted so many milliseconds after the given one, with its reason. */
function abortedAfter(signal: AbortSignal, graceMs: number): AbortSignal {
  const later = new AbortController()
  const begin = () => setTimeout(() => later.abort(signal.reason), graceMs).unref()
  signal.addEventListener('abort', begin, { once: true })
  return later.signal
}

/** The certificate with what belongs to it. @throws AcmeFailure when it is not what was asked for */
function checked(chain: string, privateKey: string, names: readonly string[]): Upload {
  try {
    const [certificate, ...above] = readCertificates(chain)
    if (certificate === undefined) throw new CertificateUnreadable('There is none.')
    const certifiedNames = new Set(
      certificate.alternativeNames.map((name) => name.replace(/^DNS:/, '').toLowerCase()),
    )
    const missing = names.filter((name) => !certifiedNames.has(name))
    if (missing.length > 0) throw new CertificateUnreadable(`It is not for ${missing.join(', ')}.`)
    if (!keyMatchesCertificate(certificate.pem, privateKey))
      throw new CertificateUnreadable('It is for another key.')
    const intermediates = orderIntermediates(
      certificate.pem,
      above.map(({ pem }) => pem),
    )
    return { certificate, privateKey, intermediates }
  } catch (error) {
    if (!(error instanceof CertificateUnreadable)) throw error
    throw new AcmeFailure(`The authority has sent a certificate that cannot be used: ${error.message}`)
  }
}
