import type { Log } from '@palisade/platform'
import { type ComputerId, domainOf } from '../computer-id.ts'
import type { Verifications } from './verifications.ts'

/** Looks at a computer's damaged revisions again when a backup may have healed them. */
export class Healing {
  readonly #verifications: Verifications
  readonly #log: Log
  readonly #closing = new AbortController()
  #last: Promise<void> = Promise.resolve()

  constructor(deps: { verifications: Verifications; log: Log }) {
    this.#verifications = deps.verifications
    this.#log = deps.log
  }

  /** Begins it, after what it is at. What is not done before the service ends the next backup does. */
  lookAgain(computer: ComputerId): void {
    const { signal } = this.#closing
    this.#last = this.#last.then(async () => {
      if (signal.aborted) return
      try {
        await this.#verifications.lookAgain(computer, signal)
      } catch (err) {
        if (signal.aborted) return
        this.#log.error(
          { err, computer: domainOf(computer) },
          'damaged revisions could not be looked at again',
        )
      }
    })
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#last
  }
}
