/** How many things are collected before they are handed on without waiting. */
const sizeMax = 200

/** Collects things for a moment and hands them on together. */
export class Batch<T> {
  readonly #delayMs: number
  readonly #handOn: (things: readonly T[]) => void
  #things: T[] = []
  #timer: NodeJS.Timeout | undefined

  /** @param handOn never called without things */
  constructor(delayMs: number, handOn: (things: readonly T[]) => void) {
    this.#delayMs = delayMs
    this.#handOn = handOn
  }

  add(thing: T): void {
    this.#things.push(thing)
    if (this.#things.length >= sizeMax) this.flush()
    else this.#timer ??= setTimeout(() => this.flush(), this.#delayMs)
  }

  /** Hands on what there is, now. */
  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const things = this.#things
    this.#things = []
    if (things.length > 0) this.#handOn(things)
  }
}
