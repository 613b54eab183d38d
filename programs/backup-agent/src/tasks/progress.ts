/** What a task says about how far it is. */
export interface Progress {
  /** A new step begins. Its bytes are counted in `bytesDone`, which all threads share. */
  begin(step: string, bytesTotal: number): BigInt64Array
}

/** Four reports a second are smooth to look at and nothing to carry. */
const reportEveryMs = 250

/** Reports the progress of one task now and then, as long as it changes. */
export class ProgressReporter implements Progress {
  readonly #report: (step: string, bytesDone: number, bytesTotal: number) => void
  readonly #timer: NodeJS.Timeout
  #step: string | undefined
  #bytesTotal = 0
  #bytesDone = sharedCounter()
  #lastReported = -1

  constructor(report: (step: string, bytesDone: number, bytesTotal: number) => void) {
    this.#report = report
    this.#timer = setInterval(() => this.#reportChange(), reportEveryMs)
  }

  begin(step: string, bytesTotal: number): BigInt64Array {
    this.#step = step
    this.#bytesTotal = bytesTotal
    this.#bytesDone = sharedCounter()
    this.#lastReported = -1
    return this.#bytesDone
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #reportChange(): void {
    if (this.#step === undefined) return
    const bytesDone = Math.min(Number(Atomics.load(this.#bytesDone, 0)), this.#bytesTotal)
    if (bytesDone === this.#lastReported) return
    this.#lastReported = bytesDone
    this.#report(this.#step, bytesDone, this.#bytesTotal)
  }
}

function sharedCounter(): BigInt64Array {
  return new BigInt64Array(new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT))
}
