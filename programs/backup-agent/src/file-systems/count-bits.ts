import type { ByteSource, Extent } from '@palisade/virtual-disk'

const pieceSizeBytes = 1024 * 1024

/** How many of the first `bitCount` bits are set in a bitmap whose parts lie scattered over a volume. */
export async function countBits(
  volume: ByteSource,
  parts: Iterable<Extent>,
  bitCount: number,
): Promise<number> {
  const buffer = Buffer.alloc(pieceSizeBytes)
  let bitsLeft = bitCount
  let count = 0
  for (const { offsetBytes, sizeBytes } of parts) {
    for (let at = 0; at < sizeBytes && bitsLeft > 0; at += pieceSizeBytes) {
      const piece = buffer.subarray(0, Math.min(pieceSizeBytes, sizeBytes - at, Math.ceil(bitsLeft / 8)))
      await volume.read(piece, offsetBytes + at)
      count += countIn(piece, bitsLeft)
      bitsLeft -= piece.length * 8
    }
  }
  return count
}

/** Adds up the set bits of whole 32-bit words, then of the bytes that are left; lowest bit first. */
function countIn(bytes: Buffer, bitCount: number): number {
  const wholeBytes = Math.min(bytes.length, Math.floor(bitCount / 8))
  const words = Math.floor(wholeBytes / 4)
  let count = 0
  for (let word = 0; word < words; word++) count += countInWord(bytes.readUInt32LE(word * 4))
  for (let at = words * 4; at < wholeBytes; at++) count += countInWord(bytes[at] ?? 0)
  const bitsOfLast = wholeBytes < bytes.length ? bitCount % 8 : 0
  return count + countInWord((bytes[wholeBytes] ?? 0) & ((1 << bitsOfLast) - 1))
}

function countInWord(word: number): number {
  const pairs = word - ((word >>> 1) & 0x5555_5555)
  const nibbles = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333)
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24
}
