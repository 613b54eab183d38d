import { type ByteSource, requireWithin } from './byte-source.ts'
import { type Extent, firstEndingAfter } from './extent.ts'

/** Bytes that take the place of a source's; `bytes` undefined stands for zeros. */
export interface Patch extends Extent {
  readonly bytes: Uint8Array | undefined
}

/**
 * A source as it would be after the patches were written to it in order, the later over the earlier. It
 * has at least `sizeBytes` bytes; what neither the base nor a patch has is zero.
 */
export function overlaySource(base: ByteSource, patches: Iterable<Patch>, sizeBytes: number): ByteSource {
  let layout: Patch[] = []
  for (const patch of patches) layout = [...layout.flatMap((older) => without(older, patch)), patch]
  layout.sort((a, b) => a.offsetBytes - b.offsetBytes)
  const last = layout.at(-1)
  const overlaid: ByteSource = {
    sizeBytes: Math.max(
      base.sizeBytes,
      sizeBytes,
      last === undefined ? 0 : last.offsetBytes + last.sizeBytes,
    ),
    async read(target, position) {
      requireWithin(overlaid, position, target.byteLength)
      const available = Math.max(0, Math.min(target.byteLength, base.sizeBytes - position))
      if (available > 0) await base.read(target.subarray(0, available), position)
      target.fill(0, available)
      const end = position + target.byteLength
      for (let index = firstEndingAfter(layout, position); index < layout.length; index++) {
        const patch = layout[index]
        if (patch === undefined || patch.offsetBytes >= end) break
        apply(patch, target, position)
      }
    },
  }
  return overlaid
}

function apply(patch: Patch, target: Uint8Array, position: number): void {
  const from = Math.max(patch.offsetBytes, position)
  const to = Math.min(patch.offsetBytes + patch.sizeBytes, position + target.byteLength)
  const bytes = patch.bytes?.subarray(from - patch.offsetBytes, to - patch.offsetBytes)
  if (bytes === undefined) target.fill(0, from - position, to - position)
  else target.set(bytes, from - position)
}

/** What is left of a patch where a newer one covers part of it. */
function without(older: Patch, newer: Patch): Patch[] {
  const olderEnd = older.offsetBytes + older.sizeBytes
  const newerEnd = newer.offsetBytes + newer.sizeBytes
  if (olderEnd <= newer.offsetBytes || newerEnd <= older.offsetBytes) return [older]
  return [slice(older, older.offsetBytes, newer.offsetBytes), slice(older, newerEnd, olderEnd)].filter(
    (rest) => rest.sizeBytes > 0,
  )
}

function slice(patch: Patch, from: number, to: number): Patch {
  const bytes = patch.bytes?.subarray(from - patch.offsetBytes, to - patch.offsetBytes)
  return { offsetBytes: from, sizeBytes: to - from, bytes }
}
