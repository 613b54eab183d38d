import type { Log } from '@palisade/log'
import { describe } from '@palisade/start-up'
import { RefusedByManagement } from './management-link.ts'

/** Brings messages to the management one after the other. One that was not answered is brought again, as it was; one that is refused for good is given up. */
export class Outbox<Message> {
  readonly #next: () => Message | undefined
  readonly #bring: (message: Message, signal: AbortSignal) => Promise<void>
  readonly #log: Log
  readonly #refusal: string
  #unanswered: Message | undefined

  /** @param parts.refusal what is logged when the management does not take a message */
  constructor(parts: {
    readonly next: () => Message | undefined
    readonly bring: (message: Message, signal: AbortSignal) => Promise<void>
    readonly log: Log
    readonly refusal: string
  }) {
    this.#next = parts.next
    this.#bring = parts.bring
    this.#log = parts.log
    this.#refusal = parts.refusal
  }

  /** Brings what there is; what the management does not take waits for the next time. */
  async flush(signal: AbortSignal): Promise<void> {
    for (;;) {
      this.#unanswered ??= this.#next()
      if (this.#unanswered === undefined) return
      try {
        await this.#bring(this.#unanswered, signal)
      } catch (error) {
        const isGivenUp = error instanceof RefusedByManagement && error.isForGood
        this.#log[isGivenUp ? 'warn' : 'debug']({ reason: describe(error) }, this.#refusal)
        if (!isGivenUp) return
      }
      this.#unanswered = undefined
    }
  }
}
