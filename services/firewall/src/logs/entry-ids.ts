import { randomBytes } from 'node:crypto'

/** Hexadecimal digits of a time in milliseconds; they last until the year 2527. */
const timeDigits = 11
const timeLimit = 16 ** timeDigits

/** Digits of the counter that keeps entries of one millisecond apart and in order. */
const counterDigits = 6
const counterLimit = 16 ** counterDigits

/**
 * Makes the ids of log entries: the time, a counter and a tag of this process, in hexadecimal digits, as in
 * "19bf3a5c8e1-00002a7c01". Sorted as texts they are sorted by time, and entries of the same millisecond that one
 * process wrote by the order of writing. The tag keeps several servers on one store from making the same id.
 */
export class EntryIds {
  readonly #tag = randomBytes(2).toString('hex')
  #counter = 0

  /** @param time in milliseconds since 1970 */
  next(time: number): string {
    const counter = this.#counter.toString(16).padStart(counterDigits, '0')
    this.#counter = (this.#counter + 1) % counterLimit
    return `${timePrefix(time)}-${counter}${this.#tag}`
  }
}

/** The time, in milliseconds, of the entry with this id. */
export function timeOfEntry(id: string): number {
  return Number.parseInt(id.slice(0, timeDigits), 16)
}

/** What sorts before the ids of all entries of this time and later, and after those of earlier ones. */
export function firstIdAt(time: number): string {
  return timePrefix(Math.min(Math.max(time, 0), timeLimit - 1))
}

/** What sorts after every id. */
export const afterEveryId = 'g'

function timePrefix(time: number): string {
  if (!Number.isSafeInteger(time) || time < 0 || time >= timeLimit) {
    throw new RangeError(`the time of a log entry is milliseconds since 1970, not ${time}`)
  }
  return time.toString(16).padStart(timeDigits, '0')
}
