import { MIB } from './extent.ts'

/** Never written to. */
export const zeros = Buffer.alloc(2 * MIB)

/** Whether all bytes are zero, at the speed of a comparison of memory. */
export function isZero(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.byteLength; at += zeros.byteLength) {
    const piece = bytes.subarray(at, at + zeros.byteLength)
    if (zeros.compare(piece, 0, piece.byteLength, 0, piece.byteLength) !== 0) return false
  }
  return true
}
