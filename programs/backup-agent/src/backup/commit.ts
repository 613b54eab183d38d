/**
 * The commit that makes a backup's chunks a revision. Its body is the length of the description (four bytes, the lowest first),
 * the description as JSON, and the ids of all chunks in order.
 */
import type { Writable } from 'node:stream'
import type { CommitMetadata } from '@palisade/agent-protocol'
import { agentPaths } from '@palisade/agent-protocol/wire'
import { isRecord } from '../json.ts'
import { persist } from '../server/persist.ts'
import { ReplyBroken } from '../server/request-failure.ts'
import { written } from '../server/written.ts'
import type { ChunkIdFile } from '../state/chunk-id-file.ts'
import type { TaskContext } from '../tasks/task-context.ts'

/**
 * Commits a backup, as often as it takes.
 *
 * @returns the id of the new revision
 */
export async function commit(
  id: string,
  metadata: CommitMetadata,
  ids: ChunkIdFile,
  { client, signal, patience }: TaskContext,
): Promise<number> {
  const head = commitHead(metadata)
  const attempt = async () =>
    revisionOf(
      await client.exchangeJson({
        method: 'POST',
        path: agentPaths.commit(id),
        contentType: 'application/octet-stream',
        body: (sink) => writeCommit(sink, head, ids),
        signal,
      }),
    )
  return persist(attempt, { signal, patience, meant: [409] })
}

function commitHead(metadata: CommitMetadata): Buffer {
  const json = Buffer.from(JSON.stringify(metadata))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(json.length)
  return Buffer.concat([length, json])
}

async function writeCommit(sink: Writable, head: Buffer, ids: ChunkIdFile): Promise<void> {
  await written(sink, head)
  for await (const piece of ids.pieces()) await written(sink, piece)
}

function revisionOf(reply: unknown): number {
  const revisionId = isRecord(reply) ? reply.revisionId : undefined
  if (typeof revisionId === 'number' && Number.isSafeInteger(revisionId)) return revisionId
  throw new ReplyBroken('the server answered the commit without a revision')
}
