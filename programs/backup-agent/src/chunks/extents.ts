import type { Extent } from '@palisade/virtual-disk'

/** Extents in order and not overlapping, which may be gone through again. */
export type Extents = () => AsyncIterable<Extent>

/** All of a volume. */
export function wholeExtents(sizeBytes: number): Extents {
  return async function* () {
    if (sizeBytes > 0) yield { offsetBytes: 0, sizeBytes }
  }
}

/** What is in both. */
export function intersect(first: Extents, second: Extents): Extents {
  return () => combine(first(), second(), (isInFirst, isInSecond) => isInFirst && isInSecond)
}

/** What is in the first and not in the second. */
export function subtract(first: Extents, second: Extents): Extents {
  return () => combine(first(), second(), (isInFirst, isInSecond) => isInFirst && !isInSecond)
}

/** What is in one of them only. */
export function differ(first: Extents, second: Extents): Extents {
  return () => combine(first(), second(), (isInFirst, isInSecond) => isInFirst !== isInSecond)
}

/** Goes through two lists at once, and gives what is wanted; extents that touch are joined. */
async function* combine(
  first: AsyncIterable<Extent>,
  second: AsyncIterable<Extent>,
  isWanted: (isInFirst: boolean, isInSecond: boolean) => boolean,
): AsyncGenerator<Extent> {
  const cursors = [await Cursor.open(first), await Cursor.open(second)] as const
  let at = 0
  let runStart: number | undefined
  for (;;) {
    for (const cursor of cursors) await cursor.moveTo(at)
    const [one, other] = cursors
    const isIncluded = isWanted(one.isInside(at), other.isInside(at))
    if (runStart !== undefined && !isIncluded) {
      yield { offsetBytes: runStart, sizeBytes: at - runStart }
      runStart = undefined
    }
    if (isIncluded) runStart ??= at
    at = Math.min(one.changeAfter(at), other.changeAfter(at))
    if (at === Number.POSITIVE_INFINITY) return
  }
}

/** A place in a list of extents. */
class Cursor {
  readonly #coming: AsyncIterator<Extent>
  #extent: Extent | undefined

  private constructor(coming: AsyncIterator<Extent>) {
    this.#coming = coming
  }

  static async open(extents: AsyncIterable<Extent>): Promise<Cursor> {
    const cursor = new Cursor(extents[Symbol.asyncIterator]())
    await cursor.#next()
    return cursor
  }

  /** Leaves the extents that end at or before a place. */
  async moveTo(at: number): Promise<void> {
    while (this.#extent !== undefined && endOf(this.#extent) <= at) await this.#next()
  }

  isInside(at: number): boolean {
    return this.#extent !== undefined && this.#extent.offsetBytes <= at
  }

  /** Where the next extent begins, or this one ends. */
  changeAfter(at: number): number {
    if (this.#extent === undefined) return Number.POSITIVE_INFINITY
    return this.isInside(at) ? endOf(this.#extent) : this.#extent.offsetBytes
  }

  async #next(): Promise<void> {
    const next = await this.#coming.next()
    this.#extent = next.done === true ? undefined : next.value
  }
}

function endOf({ offsetBytes, sizeBytes }: Extent): number {
  return offsetBytes + sizeBytes
}
