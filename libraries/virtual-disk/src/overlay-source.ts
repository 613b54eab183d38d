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
  const layout = layOver([...patches])
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

/**
 * Ordered, disjoint patches that say the same as the given ones. A hostile log has very many, so each stretch
 * between two of their edges gets its owner once: the newest patch first, and `next` leads past what has one.
 */
function layOver(patches: readonly Patch[]): Patch[] {
  const ends = patches.map((patch) => patch.offsetBytes + patch.sizeBytes)
  const edges = [...new Set([...patches.map((patch) => patch.offsetBytes), ...ends])].sort((a, b) => a - b)
  const stretchAt = new Map(edges.map((edge, stretch) => [edge, stretch]))
  const owners: (Patch | undefined)[] = new Array(edges.length)
  const next = Int32Array.from(edges, (_, stretch) => stretch)
  for (const patch of patches.toReversed()) {
    const end = stretchAt.get(patch.offsetBytes + patch.sizeBytes) ?? 0
    let stretch = firstFree(next, stretchAt.get(patch.offsetBytes) ?? 0)
    while (stretch < end) {
      owners[stretch] = patch
      next[stretch] = stretch + 1
      stretch = firstFree(next, stretch)
    }
  }
  return edges.flatMap((edge, stretch) => {
    const owner = owners[stretch]
    return owner === undefined ? [] : [slice(owner, edge, edges[stretch + 1] ?? edge)]
  })
}

/** Follows `next` to the end and shortens the way for those who come later. */
function firstFree(next: Int32Array, from: number): number {
  let at = from
  for (;;) {
    const to = next[at] ?? at
    if (to === at) return at
    const beyond = next[to] ?? to
    next[at] = beyond
    at = beyond
  }
}

function slice(patch: Patch, from: number, to: number): Patch {
  const bytes = patch.bytes?.subarray(from - patch.offsetBytes, to - patch.offsetBytes)
  return { offsetBytes: from, sizeBytes: to - from, bytes }
}
