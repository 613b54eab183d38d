import { agentPaths } from '@palisade/agent-protocol'
import type { ChunkKeys } from '@palisade/vault'
import { isRecord } from '../json.ts'
import type { ServerClient } from './exchange.ts'
import { ReplyBroken } from './request-failure.ts'

/** What this computer's chunks are named and sealed with. Kept in memory for as long as a task runs, never on disk. */
export interface ComputerKeys {
  readonly chunkKeys: ChunkKeys
  /** The size of the chunks of new revisions. */
  readonly chunkSizeBytes: number
}

const keySizeBytes = 32
const chunkSizeBytesMin = 4096
const chunkSizeBytesMax = 16 * 1024 * 1024

export async function fetchKeys(client: ServerClient, signal: AbortSignal): Promise<ComputerKeys> {
  const reply = await client.exchangeJson({ method: 'GET', path: agentPaths.keys, signal })
  const { naming, sealing, chunkSizeBytes } = isRecord(reply) ? reply : {}
  const keys = { naming: parseKey(naming), sealing: parseKey(sealing) }
  const isSizeUsable =
    Number.isInteger(chunkSizeBytes) &&
    Number(chunkSizeBytes) >= chunkSizeBytesMin &&
    Number(chunkSizeBytes) <= chunkSizeBytesMax
  if (!isSizeUsable) throw new ReplyBroken('the server named no usable chunk size')
  return { chunkKeys: keys, chunkSizeBytes: Number(chunkSizeBytes) }
}

function parseKey(text: unknown): Buffer {
  const key = Buffer.from(typeof text === 'string' ? text : '', 'base64')
  if (key.length !== keySizeBytes) throw new ReplyBroken('the server gave no usable chunk keys')
  return key
}
