import type { Log } from '@palisade/log'
import { type LoggedEntry, loggedEntriesMax } from '@palisade/proxy-protocol'
import { describe } from '@palisade/start-up'
import { regularly } from '../regularly.ts'
import { bringDivided } from './bring-divided.ts'
import type { ManagementLink } from './management-link.ts'
import { WaitingEntries } from './waiting-entries.ts'

const intervalMs = 1_000

/** Entries of each log that wait for a management that is away or slow; older ones are given up for newer ones. */
const waitingMax = 20_000

/** How often is told at most what was given up, while there is always more to bring. */
const tellMs = 10_000

/** Why an entry reached no log of the management, and what the proxy's own log says of it. */
const causes = {
  'management-away': 'log entries were given up: the management was away for longer than they could wait',
  'too-many': 'log entries were given up: they came faster than the management took them',
  refused: 'log entries were given up that the management refused',
} as const

/** Why an entry was dropped, as a label of the metric. */
export type LossCause = keyof typeof causes

/** What became of entries since the process began. */
export interface LogFigures {
  /** Those that reached no log, by why. */
  readonly lost: Readonly<Record<LossCause, number>>
  /** Those that another one tells as well. */
  readonly merged: number
}

/** An entry of one of the two logs. */
interface Bringing {
  readonly log: 'access' | 'webFirewall'
  readonly entry: LoggedEntry
}

/**
 * Collects log entries and brings them to the management in batches. What it could not bring is tried again. When many wait, entries of
 * the web firewall log that tell the same are put together; those of the access log never are, since each of them counts.
 */
export class LogCollector {
  readonly #link: Pick<ManagementLink, 'log'>
  readonly #log: Log
  readonly #access: LoggedEntry[] = []
  readonly #webFirewall = new WaitingEntries(waitingMax)
  readonly #lost: Record<LossCause, number> = { 'management-away': 0, 'too-many': 0, refused: 0 }
  readonly #told: Record<LossCause, number> = { ...this.#lost }
  #toldAt = performance.now()
  #isAway = false

  constructor(link: Pick<ManagementLink, 'log'>, log: Log) {
    this.#link = link
    this.#log = log
  }

  get logFigures(): LogFigures {
    return { lost: this.#lost, merged: this.#webFirewall.merged }
  }

  /** Takes entries of both logs, as they came to be. */
  take(access: readonly LoggedEntry[], webFirewall: readonly LoggedEntry[]): void {
    this.#access.push(...access)
    this.#lose(this.#giveUpOldestAccess() + this.#webFirewall.add(webFirewall))
  }

  /** Brings entries once a second until the signal is aborted. */
  run(signal: AbortSignal): Promise<void> {
    return regularly(intervalMs, signal, () => this.flush(signal))
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
          if (isGivenUp) this.#lost.refused++
        },
      )
      this.#isAway = waiting.length > 0
      this.#access.unshift(...of('access', waiting))
      this.#lose(this.#giveUpOldestAccess() + this.#webFirewall.putBack(of('webFirewall', waiting)))
      if (performance.now() - this.#toldAt > tellMs) this.#tellLosses()
      if (this.#isAway) return
    }
    this.#tellLosses()
  }

  /** In a flood of attacks, half of it is left to the access log. */
  #takeBatch(): readonly Bringing[] {
    const share = Math.max(loggedEntriesMax / 2, loggedEntriesMax - this.#access.length)
    const webFirewall = this.#webFirewall.take(share)
    const access = this.#access.splice(0, loggedEntriesMax - webFirewall.length)
    return [
      ...webFirewall.map((entry) => ({ log: 'webFirewall' as const, entry })),
      ...access.map((entry) => ({ log: 'access' as const, entry })),
    ]
  }

  #giveUpOldestAccess(): number {
    if (this.#access.length <= waitingMax) return 0
    return this.#access.splice(0, this.#access.length - Math.floor(waitingMax * 0.9)).length
  }

  #lose(count: number): void {
    this.#lost[this.#isAway ? 'management-away' : 'too-many'] += count
  }

  #tellLosses(): void {
    this.#toldAt = performance.now()
    for (const cause of Object.keys(causes) as LossCause[]) {
      const entries = this.#lost[cause] - this.#told[cause]
      if (entries > 0) this.#log.warn({ entries, cause }, causes[cause])
      this.#told[cause] = this.#lost[cause]
    }
  }
}

function of(log: Bringing['log'], bringing: readonly Bringing[]): LoggedEntry[] {
  return bringing.filter((one) => one.log === log).map(({ entry }) => entry)
}
