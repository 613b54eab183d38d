import type { Region } from '@palisade/virtual-disk'

/** Copies what of some regions falls into the bytes from `position` on to its place in them. */
export function layRegions(regions: readonly Region[], target: Uint8Array, position: number): void {
  for (const { offsetBytes, bytes } of regions) {
    const at = offsetBytes - position
    const cut = bytes.subarray(Math.max(0, -at), Math.max(0, target.byteLength - at))
    if (cut.byteLength > 0) target.set(cut, Math.max(0, at))
  }
}
