import { agentPaths } from '@palisade/agent-protocol/wire'
import type { ServerClient } from '../server/exchange.ts'
import { ReplyBroken } from '../server/request-failure.ts'

/**
 * Which chunks of a revision are stored, a bit each; the others are zeros. In shared memory, so that all threads
 * look at the same one.
 */
export async function fetchPresence(
  client: ServerClient,
  { restoreId, revisionId, chunkCount }: { restoreId: string; revisionId: number; chunkCount: number },
  signal: AbortSignal,
): Promise<Uint8Array> {
  const sizeBytes = Math.ceil(chunkCount / 8)
  const bitmap = await client.exchange({
    method: 'GET',
    path: agentPaths.presence(restoreId, revisionId),
    replyMaxBytes: sizeBytes,
    signal,
  })
  if (bitmap.length !== sizeBytes) throw new ReplyBroken('the server described another number of chunks')
  const presence = new Uint8Array(new SharedArrayBuffer(sizeBytes))
  presence.set(bitmap)
  return presence
}
