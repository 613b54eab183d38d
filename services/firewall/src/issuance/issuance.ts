import { randomUUID } from 'node:crypto'
import {
  type Attention,
  type Clock,
  type JobRunner,
  type Log,
  RequestRefused,
  type Store,
  type TextSeal,
  type WatchedQueue,
} from '@palisade/platform'
import { AcmeFailure } from '../acme/index.ts'
import type { Upload } from '../behaviours/certificates/read-upload.ts'
import type { LiveConfiguration } from '../changes/live-configuration.ts'
import type { AuthorityAccounts } from './authority-accounts.ts'
import { CertificateOrders, type OrderDependencies } from './certificate-orders.ts'
import { CertificateQueue, ofServices, type QueuedCertificate } from './certificate-queue.ts'
import { leaseMs, Renewals, type RenewalsDependencies, runRenewals } from './renewals.ts'
import { ServiceCertificates } from './service-certificates.ts'

/** How long somebody may wait for a certificate, in milliseconds. */
const obtainMaxMs = 3 * 60_000

/** Obtains certificates of services from the authority of the configuration, and renews them. */
export class Issuance {
  readonly #queue: CertificateQueue
  readonly #orders: CertificateOrders
  readonly #accounts: AuthorityAccounts
  readonly #directory: string
  readonly #renewals: Renewals
  readonly #runner: JobRunner<QueuedCertificate>
  readonly #clock: Clock
  readonly #log: Log
  readonly #closing = new AbortController()
  readonly #running = new Set<Promise<void>>()

  constructor(
    deps: OrderDependencies &
      Pick<RenewalsDependencies, 'renewalLookMs'> & {
        readonly configuration: LiveConfiguration
        readonly store: Store
        readonly seal: TextSeal
      },
  ) {
    const { clock, log } = deps
    this.#queue = new CertificateQueue(deps, ofServices)
    this.#orders = new CertificateOrders(deps)
    this.#accounts = deps.accounts
    this.#directory = deps.settings.authority.directory
    const renewing = {
      ...deps,
      source: new ServiceCertificates(deps.configuration),
      queue: this.#queue,
      orders: this.#orders,
    }
    this.#renewals = new Renewals(renewing)
    this.#runner = runRenewals(this.#renewals, renewing)
    this.#clock = clock
    this.#log = log
  }

  /**
   * Obtains a certificate of a new name; of several servers that are asked for it at once one does.
   *
   * @param hosts that it is for; see `CertificateOrders.obtain`
   * @param keep puts it into the configuration
   * @throws RequestRefused conflict; bad-request with what the authority says; unavailable when it is away. And what `keep` throws
   */
  async obtain(
    name: string,
    hosts: readonly string[],
    keep: (upload: Upload) => Promise<void>,
  ): Promise<void> {
    const holder = randomUUID()
    const now = this.#clock.now()
    if (!(await this.#queue.begin(name, { holder, untilMs: now + leaseMs }, now))) {
      throw new RequestRefused(
        'conflict',
        `The certificate ${JSON.stringify(name)} is being obtained already: wait until that has ended.`,
      )
    }
    const work = this.#obtain({ name, holder, hosts, keep })
    this.#running.add(work)
    try {
      await work
    } finally {
      this.#running.delete(work)
    }
  }

  /** Which certificates are due. */
  get queue(): WatchedQueue {
    return { name: 'certificates', runner: this.#runner }
  }

  /** What could not be renewed. */
  attention(): Promise<Attention[]> {
    return this.#renewals.attention()
  }

  /** Begins nothing more, and waits for the end of what goes on; {@link close} breaks it off all the same. */
  async drain(): Promise<void> {
    await this.#runner.drain()
    await Promise.allSettled(this.#running)
  }

  /** Breaks off what goes on, and waits for its end. */
  async close(): Promise<void> {
    this.#closing.abort()
    await this.#runner.close()
    await Promise.allSettled(this.#running)
  }

  async #obtain(order: {
    readonly name: string
    readonly holder: string
    readonly hosts: readonly string[]
    readonly keep: (upload: Upload) => Promise<void>
  }): Promise<void> {
    const { name, holder, hosts, keep } = order
    const lost = new AbortController()
    const late = AbortSignal.timeout(obtainMaxMs)
    const signal = AbortSignal.any([this.#closing.signal, lost.signal, late])
    const renewal = setInterval(() => void this.#renewLease(name, holder, lost), leaseMs / 3)
    try {
      const upload = await this.#orders.obtain(hosts, undefined, signal)
      signal.throwIfAborted()
      await keep(upload)
    } catch (error) {
      if (error instanceof AcmeFailure) {
        await this.#accounts.heed(error, this.#directory, this.#clock.now())
      }
      throw refusalOf(error, signal, late)
    } finally {
      clearInterval(renewal)
      // From here on it is due by what the configuration says.
      await this.#queue.forget(name, holder)
    }
  }

  async #renewLease(name: string, holder: string, lost: AbortController): Promise<void> {
    try {
      if (!(await this.#queue.renew(name, { holder, untilMs: this.#clock.now() + leaseMs }))) lost.abort()
    } catch (err) {
      // The next renewal comes before the lease has run out.
      this.#log.warn({ err, certificate: name }, 'the lease of a certificate could not be renewed')
    }
  }
}

function refusalOf(error: unknown, signal: AbortSignal, late: AbortSignal): unknown {
  if (late.aborted) {
    return new RequestRefused(
      'unavailable',
      `The authority has not signed the certificate within ${obtainMaxMs / 60_000} minutes: ask for it again later.`,
    )
  }
  if (signal.aborted) {
    return new RequestRefused(
      'unavailable',
      'The server stops, so the certificate was not obtained: ask for it again.',
    )
  }
  if (!(error instanceof AcmeFailure)) return error
  const { message, isAway, retryAfterMs } = error
  const headers =
    retryAfterMs === undefined ? {} : { headers: { 'retry-after': String(Math.ceil(retryAfterMs / 1000)) } }
  return new RequestRefused(isAway ? 'unavailable' : 'bad-request', message, headers)
}
