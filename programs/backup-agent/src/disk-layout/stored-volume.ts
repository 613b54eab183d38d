import type { RevisionToRestore } from '@palisade/agent-protocol'
import { isSet, setBit, taskFailures } from '@palisade/agent-protocol/wire'
import { describe } from '@palisade/start-up'
import { type ChunkGeometry, chunkCountOf } from '../chunks/chunk-range.ts'
import { TaskFailure } from '../failure.ts'
import type { RequestContext } from '../server/request-context.ts'
import { isRefusedWith } from '../server/request-failure.ts'
import { retryRequest } from '../server/retry-request.ts'
import { fetchPresence } from './fetch-presence.ts'

/** A volume in the vault, with what is needed to fetch it. */
export interface StoredVolume {
  readonly revision: RevisionToRestore
  readonly geometry: ChunkGeometry
  /** A bit per chunk of the volume: whether it is stored; the others are zeros. Shared by all threads. */
  readonly presence: Uint8Array
  /** Which chunk of the revision is the volume's first; those before it are the frame of its disk. */
  readonly firstChunk: number
}

/** The largest chunk that an agent takes. The protocol allows larger ones, which would not fit into the memory that an agent may use. */
const chunkSizeBytesMax = 16 * 1024 * 1024

/**
 * Asks which chunks of a revision are stored.
 *
 * @throws TaskFailure DataDamaged when the revision is not what its volume has, or the server cannot read it
 */
export async function findStoredVolume(
  restoreId: string,
  revision: RevisionToRestore,
  context: RequestContext,
): Promise<StoredVolume> {
  const { chunkSizeBytes, volume } = revision
  const geometry = { volumeSizeBytes: volume.capacityBytes, chunkSizeBytes }
  const firstChunk = volume.frame?.chunkCount ?? 0
  requireChunks(revision, firstChunk + chunkCountOf(geometry))
  const presence = await requestPresence(restoreId, revision, context)
  return { revision, geometry, firstChunk, presence: withoutFirst(firstChunk, presence, geometry) }
}

/** The bits of the volume's own chunks. */
function withoutFirst(firstChunk: number, presence: Uint8Array, geometry: ChunkGeometry): Uint8Array {
  if (firstChunk === 0) return presence
  const chunkCount = chunkCountOf(geometry)
  const own = new Uint8Array(new SharedArrayBuffer(Math.ceil(chunkCount / 8)))
  for (let index = 0; index < chunkCount; index++) if (isSet(presence, firstChunk + index)) setBit(own, index)
  return own
}

async function requestPresence(
  restoreId: string,
  { revisionId, chunkCount }: RevisionToRestore,
  { client, signal, retryPolicy }: RequestContext,
): Promise<Uint8Array> {
  const request = { restoreId, revisionId, chunkCount }
  try {
    return await retryRequest(() => fetchPresence(client, request, signal), {
      signal,
      retryPolicy,
      addresses: client.addresses,
      expectedStatuses: [409],
    })
  } catch (error) {
    if (!isRefusedWith(error, 409)) throw error
    throw new TaskFailure(
      taskFailures.dataDamaged,
      `revision ${revisionId} cannot be read: ${describe(error)}`,
    )
  }
}

function requireChunks(
  { revisionId, chunkCount, chunkSizeBytes }: RevisionToRestore,
  expected: number,
): void {
  if (chunkCount === expected && chunkSizeBytes <= chunkSizeBytesMax) return
  throw new TaskFailure(
    taskFailures.dataDamaged,
    `revision ${revisionId} has ${chunkCount} chunks of ${chunkSizeBytes} bytes, which is not what its volume has`,
  )
}
