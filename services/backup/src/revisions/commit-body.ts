import { CommitMetadata, idSizeBytes } from '@palisade/agent-protocol'
import { isStorableText, parseJson, RequestRefused } from '@palisade/platform'
import { ChunkList } from '@palisade/vault'
import { Compile } from 'typebox/compile'

/** A commit as it came: what the revision is of, and the ids of its chunks in order. */
export interface CommitBody {
  readonly metadata: CommitMetadata
  readonly chunks: ChunkList
}

const metadataForm = Compile(CommitMetadata)
const metadataSizeMaxBytes = 64 * 1024
/** 16 TiB in chunks of 512 KiB; the list of their ids is a gibibyte. */
export const chunkCountMax = 2 ** 25
/** The end of the year 9999, the last that dates in texts can show. */
const createdAtMaxMs = 253_402_300_799_999

/**
 * Reads the body of a commit as it arrives: `length u32  metadata  id (32) of each chunk`.
 *
 * @param takeMemory called with the size of the ids before there is room made for them; may throw
 * @throws RequestRefused bad-request when it is something else
 */
export async function readCommitBody(
  pieces: AsyncIterable<Buffer>,
  takeMemory: (sizeBytes: number) => void,
): Promise<CommitBody> {
  let head = Buffer.alloc(0)
  let begun: { metadata: CommitMetadata; ids: Buffer } | undefined
  let filled = 0
  const take = (ids: Buffer, piece: Buffer) => {
    if (filled + piece.length > ids.length) throw malformed('there are more ids than chunks')
    ids.set(piece, filled)
    filled += piece.length
  }
  for await (const piece of pieces) {
    if (begun) {
      take(begun.ids, piece)
      continue
    }
    head = Buffer.concat([head, piece])
    const metadata = readMetadata(head)
    if (!metadata) continue
    const sizeBytes = metadata.chunkCount * idSizeBytes
    takeMemory(sizeBytes)
    begun = { metadata, ids: Buffer.allocUnsafe(sizeBytes) }
    take(begun.ids, head.subarray(4 + head.readUInt32LE(0)))
  }
  if (!begun || filled !== begun.ids.length) throw malformed('it ends too early')
  return { metadata: begun.metadata, chunks: new ChunkList(begun.ids) }
}

/** Undefined as long as not all of it is there. */
function readMetadata(head: Buffer): CommitMetadata | undefined {
  if (head.length < 4) return undefined
  const sizeBytes = head.readUInt32LE(0)
  if (sizeBytes > metadataSizeMaxBytes) throw malformed('its head is too long')
  if (head.length < 4 + sizeBytes) return undefined
  const metadata = parseJson(head.subarray(4, 4 + sizeBytes))
  if (!metadataForm.Check(metadata)) throw malformed('its head has missing or invalid members')
  const { chunkCount, createdAtMs, volume } = metadata
  if (chunkCount > chunkCountMax) throw malformed(`a revision has at most ${chunkCountMax} chunks`)
  if (!(createdAtMs >= 0 && createdAtMs <= createdAtMaxMs)) throw malformed('its date is out of range')
  if (!isStorableText(volume.deviceId)) throw malformed('its volume has no valid name')
  return metadata
}

function malformed(why: string): RequestRefused {
  return new RequestRefused('bad-request', `The body is not a commit: ${why}.`)
}
