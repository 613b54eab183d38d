/** What a worker holds of messages over WebSockets that have not come to their end, in bytes: once as they came, once without masks. */
export const messagesBytesMax = 32 * 1024 * 1024

/**
 * What a worker holds of answers that clients have not taken, in bytes. A download that waits for its client has some 80 KiB of it, an answer that
 * was held to be judged 512 KiB at most; over HTTP/2 a client can let a hundred wait for one connection.
 */
export const answersBytesMax = 256 * 1024 * 1024

/** Something that takes memory until its client has sent or taken the rest. */
export interface HeldMemory {
  /** Told that it has to go, since others need the room and it has been held for longest. */
  giveWay(): void
}

/**
 * Bounds what is held for clients. Whoever has kept something waiting for longest gives way when it is full: what comes or goes at the speed
 * of networks is over long before that, so that nobody who keeps much waiting keeps others out.
 */
export class MemoryRoom {
  /** In the order in which they began. */
  readonly #held = new Map<HeldMemory, number>()
  readonly #bytesMax: number
  #bytes = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  /** @param bytes that are held of it by now */
  hold(held: HeldMemory, bytes: number): void {
    this.#bytes += bytes - (this.#held.get(held) ?? 0)
    this.#held.set(held, bytes)
    for (const oldest of this.#held.keys()) {
      if (this.#bytes <= this.#bytesMax) return
      this.release(oldest)
      oldest.giveWay()
    }
  }

  release(held: HeldMemory): void {
    this.#bytes -= this.#held.get(held) ?? 0
    this.#held.delete(held)
  }
}
