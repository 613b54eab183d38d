import { setTimeout as pause } from 'node:timers/promises'
import { type LoggedEntry, loggedEntriesMax } from '@palisade/proxy-protocol'
import { describe } from '../failure.ts'
import type { Log } from '../log.ts'
import { bringDivided } from '../management/bring-divided.ts'
import type { ManagementLink } from '../management/management-link.ts'

const intervalMs = 1_000

/** Entries that wait for a management that is away; older ones are given up for newer ones. */
const waitingMax = 20_000

/** An entry of one of the two logs. */
interface Waiting {
  readonly log: 'access' | 'webFirewall'
  readonly entry: LoggedEntry
}

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

  /** Brings what there is; what the management does not take waits for the next time. */
  async flush(signal: AbortSignal): Promise<void> {
    while (this.#access.length + this.#webFirewall.length > 0) {
      const waiting = await bringDivided(
        this.#takeBatch(),
        (part) =>
          this.#link.log({ access: of('access', part), webFirewall: of('webFirewall', part) }, signal),
        (error, isGivenUp) => {
          this.#log.debug({ reason: describe(error) }, 'the management takes no log entries')
          if (isGivenUp) this.#lost++
        },
      )
      this.#access.unshift(...of('access', waiting))
      this.#webFirewall.unshift(...of('webFirewall', waiting))
      if (waiting.length > 0) {
        this.#giveUpOldest()
        return
      }
    }
    if (this.#lost === 0) return
    this.#log.warn({ entries: this.#lost }, 'log entries were given up that the management did not take')
    this.#lost = 0
  }

  #takeBatch(): readonly Waiting[] {
    const webFirewall = this.#webFirewall.splice(0, loggedEntriesMax)
    const access = this.#access.splice(0, loggedEntriesMax - webFirewall.length)
    return [
      ...webFirewall.map((entry) => ({ log: 'webFirewall' as const, entry })),
      ...access.map((entry) => ({ log: 'access' as const, entry })),
    ]
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

function of(log: Waiting['log'], waiting: readonly Waiting[]): LoggedEntry[] {
  return waiting.filter((one) => one.log === log).map(({ entry }) => entry)
}
