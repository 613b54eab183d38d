import { CommitMetadata, idSizeBytes, patchedEntrySizeBytes } from '@palisade/agent-protocol'
import { isStorableText, LazyValidator, parseJson, RequestRefused } from '@palisade/platform'
import { isVaultFailure, RevisionChunks } from '@palisade/vault'

/** A commit as it came: what the revision is of, and its chunks. */
export interface CommitBody {
  readonly metadata: CommitMetadata
  readonly chunks: RevisionChunks
}

const metadataForm = new LazyValidator(CommitMetadata)
const metadataSizeMaxBytes = 64 * 1024
/** 16 TiB in chunks of 512 KiB; the list of their ids is a gibibyte. */
export const chunkCountMax = 2 ** 25
/** The end of the year 9999, the last that dates in texts can show. */
const createdAtMaxMs = 253_402_300_799_999

/**
 * Reads the body of a commit as it arrives: `length u32  metadata  id (32) of each chunk`, and what is said of those that are patched.
 *
 * @param takeMemory called with the size of the ids before there is room made for them; may throw
 * @throws RequestRefused bad-request when it is something else
 */
export async function readCommitBody(
  pieces: AsyncIterable<Buffer>,
  takeMemory: (sizeBytes: number) => void,
): Promise<CommitBody> {
  let head = Buffer.alloc(0)
  let content: CommitContent | undefined
  for await (const piece of pieces) {
    if (content) {
      content.take(piece)
      continue
    }
    head = Buffer.concat([head, piece])
    const metadata = readMetadata(head)
    if (!metadata) continue
    content = new CommitContent(metadata, takeMemory)
    content.take(head.subarray(4 + head.readUInt32LE(0)))
  }
  if (!content) throw malformed('it ends too early')
  return { metadata: content.metadata, chunks: content.chunks() }
}

/** What follows the head of a commit. */
class CommitContent {
  readonly metadata: CommitMetadata
  /** The ids of all chunks, and behind them room for those of the patches. */
  readonly #memory: Buffer
  readonly #ids: Buffer
  readonly #table: Buffer
  #filled = 0

  constructor(metadata: CommitMetadata, takeMemory: (sizeBytes: number) => void) {
    const { chunkCount, patchedCount = 0 } = metadata
    const tableBytes = patchedCount * patchedEntrySizeBytes
    const sizeBytes = (chunkCount + patchedCount) * idSizeBytes
    takeMemory(sizeBytes + tableBytes)
    this.metadata = metadata
    this.#memory = Buffer.allocUnsafe(sizeBytes)
    this.#ids = this.#memory.subarray(0, chunkCount * idSizeBytes)
    this.#table = Buffer.allocUnsafe(tableBytes)
  }

  take(piece: Buffer): void {
    const { length } = this.#ids
    if (this.#filled + piece.length > length + this.#table.length) {
      throw malformed('there are more ids than chunks')
    }
    const ids = piece.subarray(0, Math.max(0, length - this.#filled))
    this.#ids.set(ids, Math.min(this.#filled, length - ids.length))
    this.#table.set(piece.subarray(ids.length), Math.max(0, this.#filled - length))
    this.#filled += piece.length
  }

  chunks(): RevisionChunks {
    if (this.#filled !== this.#ids.length + this.#table.length) throw malformed('it ends too early')
    try {
      return RevisionChunks.within(this.#memory, this.metadata.chunkCount, this.#table)
    } catch (error) {
      if (!isVaultFailure(error, 'invalid-argument')) throw error
      throw malformed(error.message)
    }
  }
}

/** Undefined as long as not all of it is there. */
function readMetadata(head: Buffer): CommitMetadata | undefined {
  if (head.length < 4) return undefined
  const sizeBytes = head.readUInt32LE(0)
  if (sizeBytes > metadataSizeMaxBytes) throw malformed('its head is too long')
  if (head.length < 4 + sizeBytes) return undefined
  const metadata = parseJson(head.subarray(4, 4 + sizeBytes))
  if (!metadataForm.Check(metadata)) throw malformed('its head has missing or invalid members')
  const { chunkCount, patchedCount = 0, createdAtMs, volume } = metadata
  if (chunkCount > chunkCountMax) throw malformed(`a revision has at most ${chunkCountMax} chunks`)
  if (patchedCount > chunkCount) throw malformed('there are more patched chunks than chunks')
  if (!(createdAtMs >= 0 && createdAtMs <= createdAtMaxMs)) throw malformed('its date is out of range')
  if (!isStorableText(volume.deviceId)) throw malformed('its volume has no valid name')
  return metadata
}

function malformed(why: string): RequestRefused {
  return new RequestRefused('bad-request', `The body is not a commit: ${why}.`)
}
