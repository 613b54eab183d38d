import type { ListItem } from '../../swap-remove-list.ts'
import type { AnswerControl, AnswerReceiver, ServerRequest } from '../server-connections.ts'
import type { RequestHead } from './request-head.ts'

/** Who carries a call: a connection, or whoever holds it until there is one. */
export interface CallCarrier {
  /** The call has ended before its answer. */
  drop(call: Call): void
  pause(): void
  resume(): void
}

/** One request and whoever waits for its answer. */
export class Call implements AnswerControl, ListItem {
  readonly request: ServerRequest
  readonly head: RequestHead
  readonly receiver: AnswerReceiver
  carrier: CallCarrier | undefined
  place = -1
  readonly #onOver: () => void
  #isOver = false

  /** @param onOver told once, when the receiver will be told nothing more */
  constructor(request: ServerRequest, head: RequestHead, receiver: AnswerReceiver, onOver: () => void) {
    this.request = request
    this.head = head
    this.receiver = receiver
    this.#onOver = onOver
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** The receiver has been told, or is about to be told, the last thing. */
  finish(): void {
    this.#isOver = true
    this.#onOver()
  }

  abort(reason: Error): void {
    if (this.#isOver) return
    this.finish()
    this.carrier?.drop(this)
    const { body } = this.request
    if (body !== undefined && !Buffer.isBuffer(body)) body.destroy()
    this.receiver.onFailure(reason)
  }

  pause(): void {
    if (!this.#isOver) this.carrier?.pause()
  }

  resume(): void {
    if (!this.#isOver) this.carrier?.resume()
  }
}
