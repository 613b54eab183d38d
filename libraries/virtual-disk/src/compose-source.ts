import { type ByteSource, bufferSource, requireWithin } from './byte-source.ts'
import { type Extent, firstEndingAfter, overlaps, type Region } from './extent.ts'
import { requireArgument } from './failure.ts'
import { settleAll } from './settle-all.ts'

/** A source and where it begins in a larger one. */
export interface PlacedSource {
  readonly offsetBytes: number
  readonly source: ByteSource
}

/**
 * One source made of several, with zeros between them: a disk made of its partition table and its volumes.
 * Throws `invalid-argument` when parts overlap or leave the whole.
 */
export function composeSource(sizeBytes: number, parts: Iterable<PlacedSource | Region>): ByteSource {
  const placed = [...parts].map(place).toSorted((a, b) => a.offsetBytes - b.offsetBytes)
  for (const [index, part] of placed.entries()) {
    const next = placed[index + 1]
    requireArgument(next === undefined || !overlaps(part, next), `two parts share byte ${next?.offsetBytes}`)
    const fits = part.offsetBytes >= 0 && part.offsetBytes + part.sizeBytes <= sizeBytes
    requireArgument(fits, `the part at ${part.offsetBytes} leaves the whole of ${sizeBytes} bytes`)
  }
  const whole: ByteSource = {
    sizeBytes,
    async read(target, position) {
      requireWithin(whole, position, target.byteLength)
      await readParts(placed, target, position)
    },
  }
  return whole
}

/** A window on a source: one partition of a disk, for example. */
export function sliceSource(source: ByteSource, extent: Extent): ByteSource {
  requireWithin(source, extent.offsetBytes, extent.sizeBytes)
  const slice: ByteSource = {
    sizeBytes: extent.sizeBytes,
    async read(target, position) {
      requireWithin(slice, position, target.byteLength)
      await source.read(target, extent.offsetBytes + position)
    },
  }
  return slice
}

type Part = Extent & { readonly source: ByteSource }

function place(part: PlacedSource | Region): Part {
  const source = 'bytes' in part ? bufferSource(part.bytes) : part.source
  return { offsetBytes: part.offsetBytes, sizeBytes: source.sizeBytes, source }
}

async function readParts(parts: readonly Part[], target: Uint8Array, position: number): Promise<void> {
  const end = position + target.byteLength
  let done = position
  const reads: Promise<void>[] = []
  for (const part of parts.slice(firstEndingAfter(parts, position))) {
    if (part.offsetBytes >= end) break
    const from = Math.max(part.offsetBytes, done)
    const to = Math.min(part.offsetBytes + part.sizeBytes, end)
    target.fill(0, done - position, from - position)
    reads.push(part.source.read(target.subarray(from - position, to - position), from - part.offsetBytes))
    done = to
  }
  target.fill(0, done - position)
  await settleAll(reads)
}
