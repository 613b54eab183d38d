import type { Clock, Log } from '@palisade/platform'
import { hourMs, startOfBlock } from './blocks.ts'
import type { MailCounts } from './mail-counts.ts'

/** Has old counts forgotten once in an hour. Every server does; what is gone already costs nothing. */
export class CountsCleanup {
  readonly #deps: { mailCounts: Pick<MailCounts, 'forget'>; clock: Clock; log: Log }
  #hour: number | undefined

  constructor(deps: { mailCounts: Pick<MailCounts, 'forget'>; clock: Clock; log: Log }) {
    this.#deps = deps
  }

  /** Tidies up when that was not done in this hour. What fails is told in the log and done in the next one. */
  async tidy(): Promise<void> {
    const { mailCounts, clock, log } = this.#deps
    const now = clock.now()
    const hour = startOfBlock(now, hourMs)
    if (hour === this.#hour) return
    this.#hour = hour
    try {
      await mailCounts.forget(now)
    } catch (err) {
      log.error({ err }, 'old statistics could not be removed')
    }
  }
}
