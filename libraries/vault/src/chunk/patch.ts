/**
 * A patch: what of a chunk was changed. It is stored as a chunk itself; its plaintext is
 *
 *     map       16 bytes   a bit for each of the 128 pieces of a chunk, the lowest bit of the first byte first, set when the patch has it
 *     pieces               those that the map names, in order, each a 128th of a chunk
 *
 * Laid over its base, the chunk that was there before, it gives the content of a patched chunk. Only chunks of full length are patched.
 */
import { VaultFailure } from '../failure.ts'
import { keyedHash } from './chunk-id.ts'

/** How many pieces a chunk has. */
export const patchPieces = 128
/** The bitmap in front of a patch: a bit for each piece. */
export const patchMapBytes = patchPieces / 8

/** Whether chunks of this length can be patched: they have pieces of whole bytes. */
export function isPatchable(chunkSizeBytes: number): boolean {
  return chunkSizeBytes > 0 && chunkSizeBytes % patchPieces === 0
}

/**
 * Makes a patch of those pieces of a chunk that a map names.
 *
 * @param into room for {@link patchLength} bytes; new memory when left out
 * @returns the patch, a view of `into`
 * @throws VaultFailure `invalid-argument` when the chunk cannot be patched, the map is none, or there is not the room
 */
export function makePatch(chunk: Uint8Array, map: Uint8Array, into?: Uint8Array): Uint8Array {
  assertPatchable(chunk.length, map)
  const lengthBytes = patchLength(chunk.length, map)
  if (into && into.length < lengthBytes) {
    throw new VaultFailure('invalid-argument', `the buffer for this patch needs ${lengthBytes} bytes`)
  }
  const patch = (into ?? new Uint8Array(lengthBytes)).subarray(0, lengthBytes)
  patch.set(map)
  let at = patchMapBytes
  for (const { from, to } of changedStretches(chunk.length, map)) {
    patch.set(chunk.subarray(from, to), at)
    at += to - from
  }
  return patch
}

/** The name that {@link makePatch}'s result has, without making it. */
export function namePatch(chunk: Uint8Array, map: Uint8Array, namingKey: Uint8Array): Buffer {
  assertPatchable(chunk.length, map)
  const pieces = [...changedStretches(chunk.length, map)].map(({ from, to }) => chunk.subarray(from, to))
  return keyedHash(namingKey, map, ...pieces)
}

/** How many bytes a patch with this map has. */
export function patchLength(chunkSizeBytes: number, map: Uint8Array): number {
  return patchMapBytes + countPieces(map) * (chunkSizeBytes / patchPieces)
}

/** How many pieces a map names. */
export function countPieces(map: Uint8Array): number {
  let count = 0
  for (let byte of map) for (; byte !== 0; byte &= byte - 1) count++
  return count
}

/**
 * Lays a patch over its base.
 *
 * @param chunk the content of the base, which becomes that of the patched chunk
 * @throws VaultFailure `damaged` when it is no patch of a chunk of this length
 */
export function applyPatch(chunk: Uint8Array, patch: Uint8Array): void {
  const map = patch.subarray(0, patchMapBytes)
  const isPatch =
    isPatchable(chunk.length) &&
    map.length === patchMapBytes &&
    patch.length === patchLength(chunk.length, map)
  if (!isPatch) throw new VaultFailure('damaged', 'a chunk is not the patch that it should be')
  let at = patchMapBytes
  for (const { from, to } of changedStretches(chunk.length, map)) {
    chunk.set(patch.subarray(at, at + to - from), from)
    at += to - from
  }
}

/** The bytes of a chunk that a map names; pieces beside one another together. */
function* changedStretches(
  chunkSizeBytes: number,
  map: Uint8Array,
): Generator<{ readonly from: number; readonly to: number }> {
  const pieceBytes = chunkSizeBytes / patchPieces
  const isNamed = (piece: number) => (((map[piece >> 3] ?? 0) >> (piece & 7)) & 1) === 1
  for (let from = 0; from < patchPieces; from++) {
    if (!isNamed(from)) continue
    let to = from + 1
    while (to < patchPieces && isNamed(to)) to++
    yield { from: from * pieceBytes, to: to * pieceBytes }
    from = to
  }
}

function assertPatchable(chunkSizeBytes: number, map: Uint8Array): void {
  if (isPatchable(chunkSizeBytes) && map.length === patchMapBytes) return
  throw new VaultFailure(
    'invalid-argument',
    `a chunk of ${chunkSizeBytes} bytes has no patch with a map of ${map.length} bytes`,
  )
}
