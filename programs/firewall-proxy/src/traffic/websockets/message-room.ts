/** What a worker holds of messages that have not come to their end, in bytes: once as they came, once without masks. */
const bytesMax = 32 * 1024 * 1024

/** A message that is held until its end. */
export interface HeldMessage {
  /** Told that it has to go, since others need the room and it has been coming for longest. */
  giveWay(): void
}

/**
 * Bounds what is held of messages. Whoever has been sending one for longest gives way when it is full: a message that comes at the speed
 * of networks is over long before that, so that nobody who sends many slowly keeps others out.
 */
export class MessageRoom {
  /** In the order in which they began. */
  readonly #held = new Map<HeldMessage, number>()
  #bytes = 0

  /** @param bytes that are held of it by now */
  hold(message: HeldMessage, bytes: number): void {
    this.#bytes += bytes - (this.#held.get(message) ?? 0)
    this.#held.set(message, bytes)
    for (const oldest of this.#held.keys()) {
      if (this.#bytes <= bytesMax) return
      this.release(oldest)
      oldest.giveWay()
    }
  }

  release(message: HeldMessage): void {
    this.#bytes -= this.#held.get(message) ?? 0
    this.#held.delete(message)
  }
}
