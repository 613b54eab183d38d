import { setTimeout as pause } from 'node:timers/promises'
import { type LoggedEntry, loggedEntriesMax } from '@palisade/proxy-protocol'
import { describe } from '../failure.ts'
import type { Log } from '../log.ts'
import type { ManagementLink } from '../management/management-link.ts'

const intervalMs = 1_000

/** Entries that wait for a management that is away; older ones are given up for newer ones. */
const waitingMax = 20_000

/** Collects log entries and brings them to the management in batches. What it could not bring is tried again. */
export class LogCollector {
  readonly #link: ManagementLink
  readonly #log: Log
  #access: LoggedEntry[] = []
  #webFirewall: LoggedEntry[] = []
  #lost = 0

  constructor(link: ManagementLink, log: Log) {
    this.#link = link
    this.#log = log
  }

  /** Takes entries of both logs, as they came to be. */
  take(access: readonly LoggedEntry[], webFirewall: readonly LoggedEntry[]): void {
    this.#access.push(...access)
    this.#webFirewall.push(...webFirewall)
    this.#giveUpOldest()
  }

  /** Brings entries once a second until the signal is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await pause(intervalMs, undefined, { signal }).catch(() => undefined)
      if (!signal.aborted) await this.flush(signal)
    }
  }

  /** Brings what there is. Gives up where the management does not take it; the next time tries again. */
  async flush(signal: AbortSignal): Promise<void> {
    while (this.#access.length + this.#webFirewall.length > 0) {
      const webFirewall = this.#webFirewall.slice(0, loggedEntriesMax)
      const access = this.#access.slice(0, loggedEntriesMax - webFirewall.length)
      const lostBefore = this.#lost
      try {
        await this.#link.log({ access, webFirewall }, signal)
      } catch (error) {
        this.#log.debug({ reason: describe(error) }, 'the management takes no log entries')
        return
      }
      if (this.#lost === lostBefore) {
        this.#access = this.#access.slice(access.length)
        this.#webFirewall = this.#webFirewall.slice(webFirewall.length)
      }
    }
    if (this.#lost === 0) return
    this.#log.warn({ entries: this.#lost }, 'log entries were given up while the management was away')
    this.#lost = 0
  }

  #giveUpOldest(): void {
    for (const waiting of [this.#access, this.#webFirewall]) {
      if (waiting.length <= waitingMax) continue
      const surplus = waiting.length - Math.floor(waitingMax * 0.9)
      waiting.splice(0, surplus)
      this.#lost += surplus
    }
  }
}
