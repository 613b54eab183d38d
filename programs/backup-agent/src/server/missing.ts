import { agentPaths } from '@palisade/agent-protocol/wire'
import type { ServerClient } from './exchange.ts'
import { ReplyBroken } from './request-failure.ts'

/**
 * Asks which chunks the server lacks. Of those that it has it promises that they stay until the backup ends.
 *
 * @param count how many ids there are, at most some thousands
 * @returns a bit for each
 */
export async function askMissing(
  client: ServerClient,
  backupId: string,
  { ids, count }: { readonly ids: Buffer; readonly count: number },
  signal: AbortSignal,
): Promise<Uint8Array> {
  const sizeBytes = Math.ceil(count / 8)
  const missing = await client.exchange({
    method: 'POST',
    path: agentPaths.missing(backupId),
    contentType: 'application/octet-stream',
    body: ids,
    replyMaxBytes: sizeBytes,
    signal,
  })
  if (missing.length === sizeBytes) return missing
  throw new ReplyBroken('the server answered for another number of chunks')
}
