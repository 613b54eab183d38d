import type { RevisionToRestore } from '@palisade/agent-protocol'
import {
  agentPaths,
  type ChunkFrame,
  downloadHeaderSizeBytes,
  FrameError,
  readFrames,
  taskFailures,
} from '@palisade/agent-protocol/wire'
import { describe } from '@palisade/start-up'
import { type ChunkKeys, nameChunk } from '@palisade/vault'
import { type ChunkRange, chunkLength } from '../chunks/chunk-range.ts'
import { TaskFailure } from '../failure.ts'
import type { RequestContext } from '../server/request-context.ts'
import { isRefusedWith, ReplyBroken } from '../server/request-failure.ts'
import { retryRequest } from '../server/retry-request.ts'
import { patchedChunkMaxBytes, unsealFrame } from '../sessions/unseal-frame.ts'

/** Which chunks of a revision are wanted, counted from its first one. */
export interface WantedChunks extends ChunkRange {
  /** Of all of them; only the last one may be shorter than a chunk. */
  readonly sizeBytes: number
  /** Whether a chunk is stored, counted from `from`; one that is and does not come is missing. */
  readonly isStored?: (index: number) => boolean
}

/**
 * Fetches a few whole chunks of a revision into memory, in this thread: what has to be looked at before a restore can be
 * planned, or is read before it has come to an end. Chunks that are not stored are zeros; each other one is what its id names.
 *
 * @throws TaskFailure DataDamaged when one does not open or the server cannot read it
 */
export async function fetchChunks(
  restoreId: string,
  revision: Pick<RevisionToRestore, 'revisionId' | 'chunkSizeBytes'>,
  chunks: WantedChunks,
  keys: ChunkKeys,
  { client, signal, retryPolicy }: RequestContext,
): Promise<Buffer> {
  const { revisionId } = revision
  const path = `${agentPaths.revisionChunks(restoreId, revisionId)}?from=${chunks.from}&to=${chunks.to}`
  const replyMaxBytes = (chunks.to - chunks.from) * frameMaxBytes(revision.chunkSizeBytes)
  const attempt = async () =>
    openAll(await client.exchange({ method: 'GET', path, replyMaxBytes, signal }), revision, chunks, keys)
  try {
    return await retryRequest(attempt, {
      signal,
      retryPolicy,
      addresses: client.addresses,
      expectedStatuses: [409],
    })
  } catch (error) {
    if (!isRefusedWith(error, 409)) throw error
    throw damaged(revisionId, describe(error), error)
  }
}

/** What one chunk may take, on its way: it may be patched. */
function frameMaxBytes(chunkSizeBytes: number): number {
  return downloadHeaderSizeBytes + patchedChunkMaxBytes(chunkSizeBytes)
}

async function openAll(
  body: Buffer,
  { revisionId, chunkSizeBytes }: Pick<RevisionToRestore, 'revisionId' | 'chunkSizeBytes'>,
  { from, to, sizeBytes, isStored = () => false }: WantedChunks,
  keys: ChunkKeys,
): Promise<Buffer> {
  const geometry = { volumeSizeBytes: sizeBytes, chunkSizeBytes }
  const content = Buffer.alloc(sizeBytes)
  const missing = new Set(Array.from({ length: to - from }, (_, index) => index).filter(isStored))
  for await (const frame of framesIn(body)) {
    const index = frame.index - from
    if (index < 0 || index >= to - from)
      throw new ReplyBroken('the server sent a chunk that was not asked for')
    const into = content.subarray(
      index * chunkSizeBytes,
      index * chunkSizeBytes + chunkLength(geometry, index),
    )
    unsealFrame({ ...frame, index }, { geometry, keys, revisionId }, into)
    if (!nameChunk(into, keys.naming).equals(frame.id)) {
      throw damaged(revisionId, `chunk ${frame.index} is not what its id names`)
    }
    missing.delete(index)
  }
  if (missing.size > 0) throw new ReplyBroken('the server left out chunks that it has')
  return content
}

async function* framesIn(body: Buffer): AsyncGenerator<ChunkFrame> {
  const pieces = async function* () {
    yield body
  }
  try {
    yield* readFrames(pieces(), 'download')
  } catch (error) {
    if (error instanceof FrameError) throw new ReplyBroken(error.message, { cause: error })
    throw error
  }
}

function damaged(revisionId: number, why: string, cause?: unknown): TaskFailure {
  return new TaskFailure(taskFailures.dataDamaged, `revision ${revisionId} cannot be read: ${why}`, { cause })
}
