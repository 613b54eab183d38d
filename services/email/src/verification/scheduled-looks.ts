import type { Clock, Log } from '@palisade/platform'
import type { Looks } from './looks.ts'
import type { Verifications } from './verifications.ts'

/** What the schedule works with. */
export interface ScheduleDependencies {
  readonly verifications: Verifications
  readonly looks: Pick<Looks, 'lookAt'>
  /** What else the service does now and then, before it looks. Must not fail. */
  readonly tidy: () => Promise<void>
  readonly clock: Clock
  readonly log: Log
  /** How often it is asked what is due. */
  readonly everyMs: number
}

/** How many domains are looked at together; a name server is not to take us for a flood. */
const looksAtOnceMax = 16

/** Asks now and then what is due, and looks at it. What became due while nobody was there is due once. */
export class ScheduledLooks {
  readonly #deps: ScheduleDependencies
  readonly #timer: NodeJS.Timeout
  #isClosed = false
  #looking: Promise<void> | undefined

  constructor(deps: ScheduleDependencies) {
    this.#deps = deps
    this.#timer = setInterval(() => this.#look(), deps.everyMs).unref()
  }

  /** Begins no more looks, and waits for those that are under way: to be closed together with them. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    await this.#looking
  }

  #look(): void {
    if (this.#looking) return
    this.#looking = this.#lookAtDue()
      .catch((err: unknown) => this.#deps.log.error({ err }, 'domains could not be looked at'))
      .finally(() => {
        this.#looking = undefined
      })
  }

  /** Domains that are slow to answer hold up those only for which there is no place beside them. */
  async #lookAtDue(): Promise<void> {
    const { verifications, looks, tidy, clock } = this.#deps
    await tidy()
    const underWay = new Set<Promise<unknown>>()
    while (!this.#isClosed) {
      const due = await verifications.due(clock.now(), looksAtOnceMax - underWay.size)
      for (const verification of due) {
        // One that fails stays, so that the race below ends this round with its error.
        const look: Promise<boolean> = looks.lookAt(verification).then(() => underWay.delete(look))
        underWay.add(look)
      }
      if (underWay.size === 0) return
      await Promise.race(underWay)
    }
    await Promise.all(underWay)
  }
}
