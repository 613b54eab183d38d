import { agentPaths, idSizeBytes } from '@palisade/agent-protocol/wire'
import type { ChunkRange } from '../chunks/chunk-range.ts'
import type { ServerClient } from '../server/exchange.ts'
import { ReplyBroken } from '../server/request-failure.ts'
import { type RetryPolicy, retryRequest } from '../server/retry-request.ts'

/** The ids of some chunks of a revision of this computer, one after another; zeros for chunks of zeros. */
export function fetchIds(
  { client, signal, retryPolicy }: { client: ServerClient; signal: AbortSignal; retryPolicy: RetryPolicy },
  revisionId: number,
  { from, to }: ChunkRange,
): Promise<Buffer> {
  const path = `${agentPaths.revisionIds(revisionId)}?from=${from}&to=${to}`
  const sizeBytes = (to - from) * idSizeBytes
  const fetch = async () => {
    const ids = await client.exchange({ method: 'GET', path, replyMaxBytes: sizeBytes, signal })
    if (ids.length !== sizeBytes) throw new ReplyBroken('the server gave another number of ids')
    return ids
  }
  return retryRequest(fetch, { signal, retryPolicy, addresses: client.addresses, expectedStatuses: [409] })
}
