/** A worker that keeps ending is started again after twice as long each time, up to this. */
const restartMaxMs = 5_000
const restartMinMs = 50

/** A worker that has served for this long is taken for a good one. */
const goodRunMs = 5_000

/** How long the next worker waits that is started for one that has ended. */
export class RestartWait {
  #milliseconds = 0

  get milliseconds(): number {
    return this.#milliseconds
  }

  /** @param servedMs how long the worker has had a place; 0 for one that never had any */
  ended(servedMs: number): void {
    const isGood = servedMs > goodRunMs
    this.#milliseconds = isGood ? 0 : Math.min(restartMaxMs, Math.max(restartMinMs, 2 * this.#milliseconds))
  }
}
