import type { Clock, Log } from '@palisade/platform'
import { findRecord } from './find-record.ts'
import { recordsOf } from './records.ts'
import type { Verification } from './select-verifications.ts'
import type { Verifications } from './verifications.ts'

/** What looks are made with. */
export interface LookDependencies {
  readonly verifications: Verifications
  readonly clock: Clock
  readonly log: Log
  /** Whom to ask; the servers of the system when empty. */
  readonly nameServers: readonly string[]
  /** Below which the hosts of MX records lie; they do not count without it. */
  readonly mailHost: string | undefined
}

/** Looks whether domains have their records, on the schedule or when somebody asks for it. */
export class Looks {
  readonly #deps: LookDependencies
  readonly #closing = new AbortController()
  readonly #running = new Set<Promise<boolean>>()

  constructor(deps: LookDependencies) {
    this.#deps = deps
  }

  /**
   * Looks at a domain once, unless that was done within the last minute, here or by another server.
   *
   * @returns whether it was looked at; not when the service closes meanwhile, and then the look leaves nothing behind
   */
  async lookAt(verification: Verification): Promise<boolean> {
    const look = this.#lookAt(verification)
    this.#running.add(look)
    try {
      return await look
    } finally {
      this.#running.delete(look)
    }
  }

  /** Cuts off what is under way, and waits for its end. */
  async close(): Promise<void> {
    this.#closing.abort()
    await Promise.allSettled(this.#running)
  }

  async #lookAt(verification: Verification): Promise<boolean> {
    const { verifications, clock, log, nameServers, mailHost } = this.#deps
    const { signal } = this.#closing
    const isTaken = !signal.aborted && (await verifications.take(verification, clock.now()))
    if (!isTaken || signal.aborted) return false
    const finding = await findRecord(recordsOf(verification, mailHost), nameServers, signal)
    if (signal.aborted) return false
    const change = await verifications.conclude(verification, finding, clock.now())
    const { accountId: account, domainId: domain } = verification
    if (change) log.info({ account, domain, status: change }, 'DNS has changed the status of a domain')
    return true
  }
}
