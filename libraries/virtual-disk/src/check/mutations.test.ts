import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { type ByteSource, bufferSource, readBytes } from '../byte-source.ts'
import { KIB, MIB } from '../extent.ts'
import { DiskFailure } from '../failure.ts'
import { openDisk } from '../read/open-disk.ts'
import { withFlippedBit } from '../testing/mutations.ts'
import { plannedFile } from '../testing/planned-file.ts'
import { checkDisk } from './check-disk.ts'

/**
 * Every bit of every structure is turned round, one at a time. The check must notice, unless the format gives
 * no means to: those bits are listed, each with the reason, and the list is exact in both directions.
 */
interface Range {
  readonly name: string
  readonly from: number
  readonly sizeBytes: number
  /** Every how many bits one is turned; 1 unless given. Under a checksum, and in bitmaps, all bits are alike. */
  readonly step?: number
  /** Bits, as offset within the range * 8 + bit, that nothing protects. */
  readonly unprotected?: (bit: number) => boolean
}

const SIZE_BYTES = 7 * MIB + 512

/** Blocks 0 and 3 hold data, 1 and 2 do not; the last one is stored past the disk's end. */
function diskContent(): Buffer {
  const content = Buffer.alloc(SIZE_BYTES)
  content.set(randomBytes(2 * MIB))
  content.set(randomBytes(MIB + 512), 6 * MIB)
  return content
}

/** The bits of a little- or big-endian number from `low` on. */
function bits(offset: number, low: number, high: number): (bit: number) => boolean {
  return (bit) => bit >= offset * 8 + low && bit < offset * 8 + high
}

function either(...conditions: readonly ((bit: number) => boolean)[]): (bit: number) => boolean {
  return (bit) => conditions.some((condition) => condition(bit))
}

const vhdxRanges: readonly Range[] = [
  { name: 'header 1', from: 64 * KIB, sizeBytes: 80, step: 9 },
  { name: 'header 1, reserved', from: 64 * KIB + 80, sizeBytes: 4016, step: 809 },
  { name: 'header 2', from: 128 * KIB, sizeBytes: 80, step: 9 },
  { name: 'region table 1', from: 192 * KIB, sizeBytes: 16 + 2 * 32, step: 9 },
  { name: 'region table 1, unused', from: 192 * KIB + 80, sizeBytes: 64 * KIB - 80, step: 32_003 },
  { name: 'region table 2', from: 256 * KIB, sizeBytes: 16 + 2 * 32, step: 9 },
  { name: 'metadata table', from: 2 * MIB, sizeBytes: 32 + 5 * 32 },
  {
    name: 'metadata items',
    from: 2 * MIB + 64 * KIB,
    sizeBytes: 40,
    unprotected: either(
      // A few sectors more or less in the last block are a possible size, and so is any for which the
      // table has room; a partition table inside the disk would show that it is not the right one.
      bits(8, 9, 21),
      bits(8, 23, 38),
      // Any id is an id.
      bits(16, 0, 128),
    ),
  },
  {
    name: 'block table',
    from: 3 * MIB,
    sizeBytes: 4 * 8,
    // "Zero" and "not present" or "unmapped" both read as zeros.
    unprotected: either(bits(8, 0, 2), bits(16, 0, 2)),
  },
]

const vhdRanges: readonly Range[] = [
  { name: 'copy of the footer', from: 0, sizeBytes: 512, step: 9 },
  { name: 'dynamic header', from: 512, sizeBytes: 1024, step: 9 },
  { name: 'block table', from: 1536, sizeBytes: 4 * 4 },
  { name: 'bitmap of block 0', from: 4096 - 512, sizeBytes: 512, step: 7 },
  {
    name: 'bitmap of block 3',
    from: 4096 + 2 * MIB + 3584,
    sizeBytes: 512,
    step: 7,
    // The disk ends in this block, after 2049 sectors.
    unprotected: (bit) => bit >= 256 * 8 && bit !== 256 * 8 + 7,
  },
  { name: 'footer', from: 4096 + 2 * (2 * MIB + 4096) - 4096, sizeBytes: 512, step: 9 },
]

async function unnoticed(source: ByteSource, range: Range): Promise<{ bits: Set<number>; ran: number }> {
  const missed = new Set<number>()
  let ran = 0
  for (let bit = 0; bit < range.sizeBytes * 8; bit += range.step ?? 1) {
    const damaged = await withFlippedBit(source, range.from + Math.floor(bit / 8), bit % 8)
    const findings = await checkDisk(damaged)
    if (findings.length === 0) missed.add(bit)
    await opensOrFailsClearly(damaged)
    ran++
  }
  return { bits: missed, ran }
}

/** Whatever is damaged: reading gives bytes or one of our failures, never another error. */
async function opensOrFailsClearly(source: ByteSource): Promise<void> {
  try {
    const disk = await openDisk(source)
    await readBytes(disk, 0, Math.min(4096, disk.sizeBytes))
  } catch (error) {
    if (!(error instanceof DiskFailure)) throw error
  }
}

for (const [format, ranges] of Object.entries({ vhdx: vhdxRanges, vhd: vhdRanges } as const)) {
  test(`notices every turned bit of a ${format} that can be noticed`, async () => {
    const request = {
      format: format === 'vhd' ? 'vhd' : 'vhdx',
      allocation: 'dynamic',
      virtualSizeBytes: SIZE_BYTES,
    } as const
    const source = bufferSource(plannedFile(request, diskContent()).file)
    assert.deepEqual(await checkDisk(source), [])
    let ran = 0
    for (const range of ranges) {
      const missed = await unnoticed(source, range)
      const expected = Array.from({ length: range.sizeBytes * 8 }, (_, bit) => bit).filter(
        (bit) => bit % (range.step ?? 1) === 0 && (range.unprotected?.(bit) ?? false),
      )
      assert.deepEqual([...missed.bits], expected, range.name)
      ran += missed.ran
    }
    const expectedRuns = ranges.reduce(
      (sum, { sizeBytes, step = 1 }) => sum + Math.ceil((sizeBytes * 8) / step),
      0,
    )
    assert.equal(ran, expectedRuns)
    assert.ok(ran > 2000)
  })
}
