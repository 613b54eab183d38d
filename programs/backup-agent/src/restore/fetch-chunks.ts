import {
  agentPaths,
  FrameError,
  type RevisionToRestore,
  readFrames,
  taskFailures,
} from '@palisade/agent-protocol'
import type { ChunkKeys } from '@palisade/vault'
import type { ChunkRange } from '../chunk-range.ts'
import { describe, TaskFailure } from '../failure.ts'
import { persist } from '../server/persist.ts'
import { isRefusedWith, ReplyBroken } from '../server/request-failure.ts'
import type { TaskContext } from '../tasks/task-context.ts'
import { unsealFrame } from './unseal-frame.ts'

/**
 * Fetches a few whole chunks of a revision into memory, in this thread: what has to be looked at before a restore can be
 * planned. Chunks that are not stored are zeros.
 *
 * @param chunks counted from the first chunk of the revision
 * @throws TaskFailure DataDamaged when one does not open or the server cannot read it
 */
export async function fetchChunks(
  restoreId: string,
  revision: Pick<RevisionToRestore, 'revisionId' | 'chunkSizeBytes'>,
  chunks: ChunkRange & { readonly sizeBytes: number },
  keys: ChunkKeys,
  { client, signal, patience }: Pick<TaskContext, 'client' | 'signal' | 'patience'>,
): Promise<Buffer> {
  const { revisionId, chunkSizeBytes } = revision
  const path = `${agentPaths.revisionChunks(restoreId, revisionId)}?from=${chunks.from}&to=${chunks.to}`
  const geometry = { volumeSizeBytes: chunks.sizeBytes, chunkSizeBytes }
  try {
    const body = await persist(() => client.exchange({ method: 'GET', path, signal }), {
      signal,
      patience,
      meant: [409],
    })
    const content = Buffer.alloc(chunks.sizeBytes)
    for await (const { index, id, sealed } of readFrames(only(body), 'download')) {
      if (index < chunks.from || index >= chunks.to) {
        throw new ReplyBroken('the server sent a chunk that was not asked for')
      }
      const own = index - chunks.from
      unsealFrame(
        { index: own, id, sealed },
        { geometry, keys, revisionId },
        content.subarray(own * chunkSizeBytes),
      )
    }
    return content
  } catch (error) {
    if (!isRefusedWith(error, 409) && !(error instanceof FrameError)) throw error
    throw new TaskFailure(
      taskFailures.dataDamaged,
      `revision ${revisionId} cannot be read: ${describe(error)}`,
      { cause: error },
    )
  }
}

async function* only(body: Buffer): AsyncGenerator<Buffer> {
  yield body
}
