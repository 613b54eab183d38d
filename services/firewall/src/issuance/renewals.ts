import {
  type Attention,
  type Clock,
  type JobQueue,
  JobRunner,
  type Lease,
  type Log,
} from '@palisade/platform'
import { describe } from '@palisade/start-up'
import { AcmeFailure, renewalName, suggestedRenewal } from '../acme/index.ts'
import type { AuthorityAccounts } from './authority-accounts.ts'
import type { CertificateOrders } from './certificate-orders.ts'
import type { CertificateQueue, QueuedCertificate } from './certificate-queue.ts'
import { type CertificateSource, type RenewableCertificate, renewalTime } from './renewable-certificate.ts'
import {
  askAgainAfterMs,
  type Life,
  retryAfterFailureMs,
  suggestedTime,
  usualLifeMs,
} from './renewal-time.ts'
import type { AcmeSettings } from './settings.ts'

/** A server that has died leaves a name free after this, in milliseconds. */
export const leaseMs = 60_000

/** How often, at least, it is looked what is to be renewed, in milliseconds, unless something else is said. */
const usualLookMs = 5_000

/** How many certificates a server renews at once. */
const concurrencyMax = 8

/** What certificates are renewed with. */
export interface RenewalsDependencies {
  readonly source: CertificateSource
  readonly queue: CertificateQueue
  readonly orders: CertificateOrders
  readonly accounts: AuthorityAccounts
  readonly settings: AcmeSettings
  readonly clock: Clock
  readonly log: Log
  /** How often, at least, it is looked what is to be renewed, in milliseconds; every five seconds when left out. */
  readonly renewalLookMs?: number
}

/** Renews certificates in time, one server each. The one that is there serves until another one has been obtained and checked. */
export class Renewals implements JobQueue<QueuedCertificate> {
  readonly #deps: RenewalsDependencies
  /** What the queue was made for last. */
  #synchronised: unknown

  constructor(deps: RenewalsDependencies) {
    this.#deps = deps
  }

  /** Has the queue hold what the source has, also what was renamed, imported or rolled back. @param now in milliseconds since 1970 */
  async synchronise(now: number): Promise<void> {
    const { source, queue } = this.#deps
    const version = source.version()
    if (version === this.#synchronised) return
    await queue.synchronise(source.all().map(queueEntry), now)
    this.#synchronised = version
  }

  /** Nothing, while the authority wants to be left alone. */
  async due(now: number, countMax: number): Promise<QueuedCertificate[]> {
    const { accounts, settings, queue } = this.#deps
    return (await accounts.isPaused(settings.authority.directory, now)) ? [] : queue.due(now, countMax)
  }

  nextDueAt(now: number): Promise<number | undefined> {
    return this.#deps.queue.nextDueAt(now)
  }

  nameOf({ name }: QueuedCertificate): string {
    return name
  }

  claim(job: QueuedCertificate, lease: Lease, now: number): Promise<boolean> {
    return this.#deps.queue.claim(job, lease, now)
  }

  renew({ name }: QueuedCertificate, lease: Lease): Promise<boolean> {
    return this.#deps.queue.renew(name, lease)
  }

  giveBack({ name }: QueuedCertificate, holder: string, dueAt: number): Promise<void> {
    return this.#deps.queue.giveBack(name, holder, dueAt)
  }

  async run(job: QueuedCertificate, holder: string, signal: AbortSignal): Promise<void> {
    const { source, queue, clock } = this.#deps
    await source.refresh()
    const certificate = source.find(job.name)
    if (certificate === undefined) return queue.forget(job.name, holder)
    if (stateOf(certificate) !== job.state) {
      // Somebody else has renewed it, and died before he could write that down; or it is to be renewed on another day.
      await queue.settle(queueEntry(certificate), holder, clock.now())
      return
    }
    const when = await this.#when(job, certificate, signal)
    if (when.renewAt > clock.now()) return queue.postpone(job.name, holder, when.renewAt, when.lookAt)
    await this.#renew(job, certificate, holder, signal)
  }

  /** What could not be renewed, or obtained at all. */
  async attention(): Promise<Attention[]> {
    const { source, queue, clock } = this.#deps
    return (await queue.failing()).flatMap((row): Attention[] => {
      const certificate = source.find(row.name)
      if (certificate === undefined) return []
      const { title, obtained } = certificate
      const times = row.failures === 1 ? 'once' : `${row.failures} times`
      const fault =
        obtained === undefined
          ? `It could not be obtained, ${times} by now.`
          : `It could not be renewed, ${times} by now, and ends on ${new Date(obtained.life.end).toISOString()}.`
      return [
        {
          condition: 'certificate-not-renewed',
          subject: title,
          severity: obtained !== undefined && isLate(obtained.life, clock.now()) ? 'critical' : 'warning',
          message: `${fault} ${row.problem}`,
          remedy: 'do what the sentence says; it is tried again by itself',
        },
      ]
    })
  }

  /** When to renew, by what the authority says now; that it cannot be asked keeps nobody from renewing in time. */
  async #when(
    { name, renewAt }: QueuedCertificate,
    { obtained, daysBefore }: RenewableCertificate,
    signal: AbortSignal,
  ): Promise<{ readonly renewAt: number; readonly lookAt: number }> {
    const { settings, clock, log } = this.#deps
    const now = clock.now()
    const isTheirs = obtained?.directory === settings.authority.directory
    if (renewAt <= now || !isTheirs) return { renewAt, lookAt: renewAt }
    try {
      const suggested = await suggestedRenewal(settings.authority, obtained.pem, { now, signal })
      if (suggested === undefined) return { renewAt, lookAt: renewAt }
      // A time within the window stays, as do the days before the end that an administrator has chosen.
      const isWithin = suggested.from <= renewAt && renewAt <= suggested.to
      const theirs = isWithin ? renewAt : suggestedTime(suggested, Math.random())
      const at = daysBefore === undefined ? theirs : Math.min(renewAt, theirs)
      return { renewAt: at, lookAt: Math.min(at, now + askAgainAfterMs(suggested.askAgainMs)) }
    } catch (error) {
      if (!(error instanceof AcmeFailure)) throw error
      log.info({ certificate: name, reason: error.message }, 'the authority does not say when to renew')
      return { renewAt, lookAt: Math.min(renewAt, now + askAgainAfterMs(error.retryAfterMs)) }
    }
  }

  async #renew(
    job: QueuedCertificate,
    certificate: RenewableCertificate,
    holder: string,
    signal: AbortSignal,
  ): Promise<void> {
    const { source, queue, orders, settings, clock, log } = this.#deps
    const { hosts, obtained } = certificate
    const { directory } = settings.authority
    try {
      const replaced = obtained?.directory === directory ? renewalName(obtained.pem) : undefined
      const upload = await orders.obtain(hosts, replaced, signal, queue.orderMemory(job.name, holder))
      signal.throwIfAborted()
      await source.replace(certificate, upload, directory)
      const renewed = source.find(job.name)
      if (renewed === undefined) return await queue.forget(job.name, holder)
      await queue.settle(queueEntry(renewed), holder, clock.now())
      log.info(
        { certificate: job.name },
        obtained === undefined ? 'a certificate was obtained' : 'a certificate was renewed',
      )
    } catch (error) {
      if (signal.aborted) throw error
      await this.#fail(job, certificate, holder, error)
    }
  }

  /** Has it tried again later, and everything else at the authority as well where that has refused it for a limit. */
  async #fail(
    job: QueuedCertificate,
    { obtained }: RenewableCertificate,
    holder: string,
    error: unknown,
  ): Promise<void> {
    const { queue, accounts, settings, clock, log } = this.#deps
    const isRefusal = error instanceof AcmeFailure
    const now = clock.now()
    const life = obtained?.life ?? { begin: now, end: now + usualLifeMs }
    const backoff = retryAfterFailureMs(life, job.failures + 1, Math.random())
    const retryAfterMs = isRefusal ? (error.retryAfterMs ?? 0) : 0
    if (isRefusal) await accounts.heed(error, settings.authority.directory, now)
    const problem = isRefusal ? error.message : 'The log of the server says why.'
    await queue.fail(job, holder, problem, now + Math.max(backoff, retryAfterMs))
    const sentence =
      obtained === undefined ? 'a certificate could not be obtained' : 'a certificate could not be renewed'
    if (isRefusal) log.warn({ certificate: job.name, reason: describe(error) }, sentence)
    else log.error({ err: error, certificate: job.name }, sentence)
  }
}

/**
 * Renews from now on, until what is returned is closed.
 *
 * @param deps.source is refreshed before each look, so that this server shows what others have renewed
 */
export function runRenewals(
  renewals: Renewals,
  {
    source,
    clock,
    log,
    renewalLookMs = usualLookMs,
  }: Pick<RenewalsDependencies, 'source' | 'clock' | 'log' | 'renewalLookMs'>,
): JobRunner<QueuedCertificate> {
  return new JobRunner({
    name: 'the renewal of a certificate',
    jobs: renewals,
    clock,
    log,
    pollIntervalMs: renewalLookMs,
    concurrencyMax,
    leaseMs,
    beforePoll: async (now) => {
      await source.refresh()
      await renewals.synchronise(now)
    },
  })
}

function queueEntry(certificate: RenewableCertificate) {
  return { name: certificate.name, state: stateOf(certificate), renewAt: renewalTime(certificate) }
}

/** What decides when a certificate is renewed: its serial number, and how many days before its end somebody has chosen. */
function stateOf({ obtained, daysBefore }: RenewableCertificate): string {
  if (obtained === undefined) return ''
  return daysBefore === undefined ? obtained.serial : `${obtained.serial} ${daysBefore}`
}

/** Whether less than a sixth of a life is left. */
function isLate({ begin, end }: Life, now: number): boolean {
  return end - now < (end - begin) / 6
}
