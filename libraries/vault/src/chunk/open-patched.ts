import type { ChunkKeys } from '../keys/derive.ts'
import { asBuffer } from './chunk-id.ts'
import { applyPatch } from './patch.ts'
import { releaseMemory } from './release-memory.ts'
import { unsealChunk } from './sealed-chunk.ts'

/** A part of a patched chunk, sealed. */
interface SealedPart {
  readonly id: Uint8Array
  readonly sealed: Uint8Array
}

/**
 * Opens what a patched chunk is made of, and puts it together. Whether that is what the chunk is named is for the caller to see.
 *
 * @param into room for a chunk
 * @returns a view of it, as long as the base
 * @throws VaultFailure `damaged` when base or patch were not sealed under their ids with these keys, or are none of a patched chunk
 */
export function openPatched(
  base: SealedPart,
  patch: SealedPart,
  keys: ChunkKeys,
  into: Uint8Array,
): Uint8Array {
  const content = unsealChunk(base.id, base.sealed, keys, { into })
  const opened = unsealChunk(patch.id, patch.sealed, keys, { sizeMaxBytes: into.length })
  applyPatch(content, opened)
  releaseMemory(asBuffer(opened))
  return content
}
