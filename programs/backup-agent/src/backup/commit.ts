/**
 * The commit that makes a backup's chunks a revision. Its body is the length of the description (four bytes, the lowest first),
 * the description as JSON, the ids of all chunks in order, and what is said of those that are patched.
 */

import type { Writable } from 'node:stream'
import type { CommitMetadata } from '@palisade/agent-protocol'
import { agentPaths, idSizeBytes, patchedEntrySizeBytes } from '@palisade/agent-protocol/wire'
import { describe } from '@palisade/start-up'
import { isRecord } from '../json.ts'
import { shortReplyMaxBytes } from '../server/exchange.ts'
import { isRefusedWith, ReplyBroken } from '../server/request-failure.ts'
import { retryRequest } from '../server/retry-request.ts'
import { writeAll } from '../server/write-all.ts'
import type { ChunkIdFile } from '../state/chunk-id-file.ts'
import type { TaskContext } from '../tasks/task-context.ts'
import type { PatchedChunks } from '../tracking/patched-chunks.ts'

/** The server does not take what is said of patched chunks, as one of an earlier version. */
export class PatchesRefused extends Error {
  override readonly name = 'PatchesRefused'
}

/**
 * Commits a backup, as often as it takes.
 *
 * @returns the id of the new revision
 * @throws PatchesRefused when there are patched chunks and the server finds the commit wrong
 */
export async function commit(
  id: string,
  metadata: CommitMetadata,
  ids: ChunkIdFile,
  patches: PatchedChunks,
  { client, signal, retryPolicy }: TaskContext,
): Promise<number> {
  const head = commitHead(patches.count === 0 ? metadata : { ...metadata, patchedCount: patches.count })
  const table = patchedTable(patches)
  const attempt = async () =>
    revisionOf(
      await client.exchangeJson({
        method: 'POST',
        path: agentPaths.commit(id),
        contentType: 'application/octet-stream',
        body: (sink) => writeCommit(sink, head, ids, table),
        replyMaxBytes: shortReplyMaxBytes,
        signal,
      }),
    )
  try {
    return await retryRequest(attempt, {
      signal,
      retryPolicy,
      addresses: client.addresses,
      expectedStatuses: patches.count === 0 ? [409] : [409, 400],
    })
  } catch (error) {
    if (isRefusedWith(error, 400)) throw new PatchesRefused(describe(error), { cause: error })
    throw error
  }
}

function commitHead(metadata: CommitMetadata): Buffer {
  const json = Buffer.from(JSON.stringify(metadata))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(json.length)
  return Buffer.concat([length, json])
}

/** Of each patched chunk its position, its base and its patch. */
function patchedTable(patches: PatchedChunks): Buffer {
  const table = Buffer.alloc(patches.count * patchedEntrySizeBytes)
  let at = 0
  for (const { position, base, patch } of patches) {
    table.writeUInt32LE(position, at)
    table.set(base, at + 4)
    table.set(patch, at + 4 + idSizeBytes)
    at += patchedEntrySizeBytes
  }
  return table
}

async function writeCommit(sink: Writable, head: Buffer, ids: ChunkIdFile, table: Buffer): Promise<void> {
  await writeAll(sink, head)
  for await (const piece of ids.pieces()) await writeAll(sink, piece)
  if (table.length > 0) await writeAll(sink, table)
}

function revisionOf(reply: unknown): number {
  const revisionId = isRecord(reply) ? reply.revisionId : undefined
  if (typeof revisionId === 'number' && Number.isSafeInteger(revisionId)) return revisionId
  throw new ReplyBroken('the server answered the commit without a revision')
}
