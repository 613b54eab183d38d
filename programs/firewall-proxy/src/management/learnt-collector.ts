import type { Log } from '@palisade/log'
import { type LearntUrl, learntMax } from '@palisade/proxy-protocol'
import { describe } from '@palisade/start-up'
import { regularly } from '../regularly.ts'
import { bringDivided } from './bring-divided.ts'
import { LearntTraffic } from './learnt-traffic.ts'
import type { ManagementLink } from './management-link.ts'

const intervalMs = 2_000

/** Brings what workers learnt to the management. While that is away it is kept and grows together, so that it takes bounded memory. */
export class LearntCollector {
  readonly #link: ManagementLink
  readonly #log: Log
  readonly #waiting = new LearntTraffic()

  constructor(link: ManagementLink, log: Log) {
    this.#link = link
    this.#log = log
  }

  take(urls: readonly LearntUrl[]): void {
    for (const learnt of urls) this.#waiting.take(learnt)
  }

  /** Brings it every other second until the signal is aborted. */
  run(signal: AbortSignal): Promise<void> {
    return regularly(intervalMs, signal, () => this.flush(signal))
  }

  /** Brings what there is; what the management does not take waits for the next time. */
  async flush(signal: AbortSignal): Promise<void> {
    for (;;) {
      const urls = this.#waiting.give(learntMax.urlsOfMessage)
      if (urls.length === 0) return
      const waiting = await bringDivided(
        urls,
        (part) => this.#link.learnt({ urls: part }, signal),
        (error, isGivenUp) => {
          this.#log[isGivenUp ? 'warn' : 'debug'](
            { reason: describe(error) },
            'the management does not take what was learnt',
          )
        },
      )
      this.take(waiting)
      if (waiting.length > 0) return
    }
  }
}
