import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

/** Digests in hexadecimal. */
const digestLength = 40
const line = /^[\dA-F]{40}(?::\d+)?\r?$/i

/** A line is never longer: a digest, a colon, a count and its end. */
const lineMax = 80

/** What is left of the file is read at once when it is as short as this, in bytes. */
const wholeMax = 8 * 1024

/** How many places are looked at to see whether a file is sorted. */
const probes = 64

/** So many digits tell how far into the file a digest is: as many as a number has room for. */
const leadingDigits = 12
const leadingMax = 16 ** leadingDigits

/** The file is no list of digests; the message says why. */
export class HashListError extends Error {}

/**
 * A sorted list of SHA-1 digests on disk, one in each line, as Have I Been Pwned publishes those of stolen passwords: `DIGEST:COUNT`. Since
 * digests are spread evenly, a few reads find one in a file of any size.
 */
export class HashList {
  readonly #file: number
  readonly #size: number

  /** @throws HashListError, or the system's error */
  constructor(path: string) {
    this.#file = openSync(path, 'r')
    try {
      this.#size = fstatSync(this.#file).size
      this.#check()
    } catch (error) {
      this.close()
      throw error
    }
  }

  /** @param digest hexadecimal, upper case */
  has(digest: string): boolean {
    const leading = leadingOf(digest)
    let [low, high, lowest, highest] = [0, this.#size, 0, leadingMax]
    for (let turn = 0; high - low > wholeMax; turn++) {
      const share = turn % 2 === 0 ? (leading - lowest) / Math.max(1, highest - lowest) : 0.5
      const guess = Math.min(high - 1, low + Math.max(0, Math.floor((high - low) * share)))
      const entry = this.#lineFrom(guess)
      if (entry === undefined || entry.start >= high) {
        high = guess
        continue
      }
      if (entry.digest === digest) return true
      if (entry.digest < digest) {
        low = entry.end
        lowest = leadingOf(entry.digest)
      } else {
        high = guess
        highest = leadingOf(entry.digest)
      }
    }
    return this.#read(low, high - low + lineMax)
      .split('\n')
      .some((one) => one.slice(0, digestLength).toUpperCase() === digest)
  }

  close(): void {
    closeSync(this.#file)
  }

  #check(): void {
    const first = this.#read(0, lineMax).split('\n', 1)[0] ?? ''
    if (!line.test(first)) throw new HashListError('its first line is no SHA-1 digest in hexadecimal')
    let before = ''
    for (let probe = 0; probe < probes; probe++) {
      const entry = this.#lineFrom(Math.floor((this.#size * probe) / probes))
      if (entry === undefined) continue
      if (!line.test(entry.text))
        throw new HashListError('not all of its lines are SHA-1 digests in hexadecimal')
      if (entry.digest < before) throw new HashListError('it is not sorted by digest')
      before = entry.digest
    }
  }

  /** The first line that begins at this place or behind it. */
  #lineFrom(place: number) {
    // The end of the line before tells whether one begins just here.
    const from = Math.max(0, place - 1)
    const text = this.#read(from, 2 * lineMax)
    const at = place === 0 ? 0 : text.indexOf('\n') + 1
    const end = text.indexOf('\n', at)
    if ((place > 0 && at === 0) || at >= text.length) return undefined
    const whole = text.slice(at, end < 0 ? undefined : end)
    return {
      start: from + at,
      end: from + (end < 0 ? text.length : end + 1),
      text: whole,
      digest: whole.slice(0, digestLength).toUpperCase(),
    }
  }

  #read(place: number, length: number): string {
    const bytes = Buffer.allocUnsafe(length)
    return bytes.toString('latin1', 0, readSync(this.#file, bytes, 0, length, place))
  }
}

function leadingOf(digest: string): number {
  return Number.parseInt(digest.slice(0, leadingDigits), 16)
}
