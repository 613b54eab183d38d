/** What a task says about how far it is. */
export interface Progress {
  /**
   * A new step begins.
   *
   * @returns the counter of its bytes, shared by all threads
   */
  begin(step: string, bytesTotal: number): BigInt64Array
  /** A step begins that has no bytes of its own to count: all of them are done. */
  beginDone(step: string, bytesTotal: number): void
}

/** Four reports a second are smooth to look at and nothing to carry. */
const reportEveryMs = 250

/** Told of each step when it begins, and of the bytes of that step at most four times a second, when they have changed. */
export interface ProgressListener {
  onStep(step: string): void
  onProgress(step: string, bytesDone: number, bytesTotal: number): void
}

/** Reports the progress of one task now and then, as long as it changes. */
export class ProgressReporter implements Progress {
  readonly #listener: ProgressListener
  readonly #timer: NodeJS.Timeout
  #step: string | undefined
  #bytesTotal = 0
  #bytesDone = sharedCounter()
  #lastReported = -1

  constructor(listener: ProgressListener) {
    this.#listener = listener
    this.#timer = setInterval(() => this.#reportChange(), reportEveryMs)
  }

  begin(step: string, bytesTotal: number): BigInt64Array {
    this.#step = step
    this.#bytesTotal = bytesTotal
    this.#bytesDone = sharedCounter()
    this.#lastReported = -1
    this.#listener.onStep(step)
    return this.#bytesDone
  }

  beginDone(step: string, bytesTotal: number): void {
    Atomics.store(this.begin(step, bytesTotal), 0, BigInt(bytesTotal))
  }

  /** Reports for the last time. */
  stop(): void {
    clearInterval(this.#timer)
    this.#reportChange()
  }

  #reportChange(): void {
    if (this.#step === undefined) return
    const bytesDone = Math.min(Number(Atomics.load(this.#bytesDone, 0)), this.#bytesTotal)
    if (bytesDone === this.#lastReported) return
    this.#lastReported = bytesDone
    this.#listener.onProgress(this.#step, bytesDone, this.#bytesTotal)
  }
}

function sharedCounter(): BigInt64Array {
  return new BigInt64Array(new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT))
}
