/** Bits that are set one after another. */
export interface BitRun {
  readonly first: number
  readonly count: number
}

/** The runs of set bits among the first `bitCount` of a bitmap; lowest bit of a byte first. */
export function* bitRuns(bitmap: Uint8Array, bitCount: number): Generator<BitRun> {
  let first = -1
  for (let bit = 0; bit < bitCount; ) {
    const byte = bitmap[bit >> 3] ?? 0
    const isInRun = first >= 0
    // Most bytes of most bitmaps change nothing.
    if ((bit & 7) === 0 && bit + 8 <= bitCount && byte === (isInRun ? 0xff : 0)) {
      bit += 8
      continue
    }
    const isSet = ((byte >> (bit & 7)) & 1) === 1
    if (isSet && !isInRun) first = bit
    if (!isSet && isInRun) {
      yield { first, count: bit - first }
      first = -1
    }
    bit++
  }
  if (first >= 0) yield { first, count: bitCount - first }
}
