import { setImmediate } from 'node:timers/promises'

/** How long work goes on before others are served, in milliseconds. */
const sliceMs = 15

/** Divides long work on the configuration into slices, between which requests are answered. */
export class TimeSlices {
  #sliceBegan = performance.now()

  /** To be awaited after each small piece of work: lets others run once the slice is used up. */
  async pause(): Promise<void> {
    if (performance.now() - this.#sliceBegan < sliceMs) return
    await setImmediate()
    this.#sliceBegan = performance.now()
  }
}
