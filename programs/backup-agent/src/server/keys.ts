import {
  agentPaths,
  chunkSizeMaxBytes,
  chunkSizeMinBytes,
  patchedChunksMax as ownPatchedChunksMax,
} from '@palisade/agent-protocol/wire'
import type { ChunkKeys } from '@palisade/vault'
import { isRecord } from '../json.ts'
import { type ServerClient, shortReplyMaxBytes } from './exchange.ts'
import { ReplyBroken } from './request-failure.ts'

/** What the server has for this computer's chunks. Kept in memory for as long as a task runs, never on disk. */
export interface ComputerKeys {
  /** What chunks are named and sealed with, unless the computer has a key of its own. */
  readonly chunkKeys: ChunkKeys
  /** Marks chunks that are sealed with the computer's own key. */
  readonly marking: Uint8Array
  /** The key of its own that the computer's backups are sealed with, as far as the server knows. */
  readonly endToEndKeyCheck: string | undefined
  /** The size of the chunks of new revisions. */
  readonly chunkSizeBytes: number
  /** How many chunks of a revision may be patched; none where the server does not say. */
  readonly patchedChunksMax: number
}

const keySizeBytes = 32

/**
 * Asks the server for the keys of this computer.
 * // @throws RequestRefused when the server refuses; ReplyBroken when a key or the chunk size is not usable
 */
export async function fetchKeys(client: ServerClient, signal: AbortSignal): Promise<ComputerKeys> {
  const reply = await client.exchangeJson({
    method: 'GET',
    path: agentPaths.keys,
    replyMaxBytes: shortReplyMaxBytes,
    signal,
  })
  const { naming, sealing, marking, endToEndKeyCheck, chunkSizeBytes, patchedChunksMax } = isRecord(reply)
    ? reply
    : {}
  const keys = { naming: parseKey(naming), sealing: parseKey(sealing) }
  const isSizeUsable =
    Number.isInteger(chunkSizeBytes) &&
    Number(chunkSizeBytes) >= chunkSizeMinBytes &&
    Number(chunkSizeBytes) <= chunkSizeMaxBytes
  if (!isSizeUsable) throw new ReplyBroken('the server named no usable chunk size')
  return {
    chunkKeys: keys,
    marking: parseKey(marking),
    endToEndKeyCheck: typeof endToEndKeyCheck === 'string' ? endToEndKeyCheck : undefined,
    chunkSizeBytes: Number(chunkSizeBytes),
    patchedChunksMax:
      typeof patchedChunksMax === 'number' ? Math.min(patchedChunksMax, ownPatchedChunksMax) : 0,
  }
}

function parseKey(text: unknown): Buffer {
  const key = Buffer.from(typeof text === 'string' ? text : '', 'base64')
  if (key.length !== keySizeBytes) throw new ReplyBroken('the server gave no usable chunk keys')
  return key
}
