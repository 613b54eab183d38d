import type { Clock, JobQueue, Lease, Log } from '@palisade/platform'
import { recordsOf } from '../dns/records.ts'
import { findRecord } from './find-record.ts'
import type { Verification } from './select-verifications.ts'
import type { Verifications } from './verifications.ts'

/** What checks are made with. */
export interface DomainCheckDependencies {
  readonly verifications: Verifications
  readonly clock: Clock
  readonly log: Log
  /** Whom to ask; the servers of the system when empty. */
  readonly nameServers: readonly string[]
  /** Below which the hosts of MX records lie; they do not count without it. */
  readonly mailHost: string | undefined
}

/**
 * Checks whether domains have their records, when that is due or when somebody asks for it. A check takes some seconds at most, and its
 * lease lasts until the domain may be checked again.
 */
export class DomainChecks implements JobQueue<Verification> {
  readonly #deps: DomainCheckDependencies
  readonly #closing = new AbortController()
  readonly #running = new Set<Promise<void>>()

  constructor(deps: DomainCheckDependencies) {
    this.#deps = deps
  }

  /**
   * Checks a domain now, unless that was done within the last minute, here or by another server.
   *
   * @returns whether it was checked; not when the service closes meanwhile, and then the check leaves nothing behind
   */
  async check(verification: Verification): Promise<boolean> {
    const { verifications, clock } = this.#deps
    const { signal } = this.#closing
    if (signal.aborted || !(await verifications.claim(verification, clock.now()))) return false
    const check = this.#perform(verification, signal)
    this.#running.add(check)
    try {
      await check
    } finally {
      this.#running.delete(check)
    }
    return !signal.aborted
  }

  /** Cuts off the checks that somebody has asked for, and waits for their end. */
  async close(): Promise<void> {
    this.#closing.abort()
    await Promise.allSettled(this.#running)
  }

  due(nowMs: number, countMax: number): Promise<Verification[]> {
    return this.#deps.verifications.due(nowMs, countMax)
  }

  nextDueAt(nowMs: number): Promise<number | undefined> {
    return this.#deps.verifications.nextDueAt(nowMs)
  }

  nameOf({ accountId, domainId }: Verification): string {
    return `${accountId} ${domainId}`
  }

  claim(verification: Verification, _lease: Lease, nowMs: number): Promise<boolean> {
    return this.#deps.verifications.claim(verification, nowMs)
  }

  run(verification: Verification, _holder: string, signal: AbortSignal): Promise<void> {
    return this.#perform(verification, signal)
  }

  async #perform(verification: Verification, signal: AbortSignal): Promise<void> {
    const { verifications, clock, log, nameServers, mailHost } = this.#deps
    if (signal.aborted) return
    const result = await findRecord(recordsOf(verification, mailHost), nameServers, signal)
    if (signal.aborted) return
    const change = await verifications.conclude(verification, result, clock.now())
    const { accountId: account, domainId: domain } = verification
    if (change) log.info({ account, domain, status: change }, 'DNS has changed the status of a domain')
  }
}
