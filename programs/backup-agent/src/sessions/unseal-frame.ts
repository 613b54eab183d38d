import {
  type ChunkFrame,
  patchedHeaderSizeBytes,
  readPatchedFrame,
  taskFailures,
} from '@palisade/agent-protocol/wire'
import { isVaultFailure, openPatched, sealOverheadBytes, unsealChunk } from '@palisade/vault/chunks'
import { chunkLength } from '../chunks/chunk-range.ts'
import { TaskFailure } from '../failure.ts'
import type { FetchSpec } from './session.ts'

/** The largest sealed form of a chunk: that of one that is patched. */
export function patchedChunkMaxBytes(chunkSizeBytes: number): number {
  return patchedHeaderSizeBytes + 2 * (chunkSizeBytes + sealOverheadBytes)
}

/**
 * Decrypts and unpacks a chunk into the beginning of `target`; one that is patched is put together there. Whether it is what its id
 * names is seen when it is read back.
 *
 * @throws TaskFailure DataDamaged
 */
export function unsealFrame(
  { index, id, sealed }: ChunkFrame,
  { geometry, keys, revisionId }: Pick<FetchSpec, 'geometry' | 'keys' | 'revisionId'>,
  target: Uint8Array,
): void {
  const lengthBytes = chunkLength(geometry, index)
  const into = target.subarray(0, lengthBytes)
  const patched = readPatchedFrame(sealed)
  const plaintext = openOrNothing(() =>
    patched === undefined
      ? unsealChunk(id, sealed, keys, { into })
      : openPatched(patched.base, patched.patch, keys, into),
  )
  if (plaintext?.length === lengthBytes) return
  throw new TaskFailure(
    taskFailures.dataDamaged,
    `chunk ${index} of revision ${revisionId} is not what was backed up`,
  )
}

/** The content of a chunk; undefined when it is damaged. */
function openOrNothing(open: () => Uint8Array): Uint8Array | undefined {
  try {
    return open()
  } catch (error) {
    if (isVaultFailure(error, 'damaged')) return undefined
    throw error
  }
}
