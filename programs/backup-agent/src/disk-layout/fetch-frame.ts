import type { RevisionToRestore } from '@palisade/agent-protocol'
import { taskFailures } from '@palisade/agent-protocol/wire'
import type { ChunkKeys } from '@palisade/vault'
import {
  DiskFailure,
  type PartitionTable,
  type Region,
  readFrameTable,
  type SectorSizeBytes,
} from '@palisade/virtual-disk'
import { TaskFailure } from '../failure.ts'
import type { RequestContext } from '../server/request-context.ts'
import { fetchChunks } from './fetch-chunks.ts'

/** Ten mebibytes, in chunks of any size, is what an agent keeps. */
const frameSizeBytesMax = 64 * 1024 * 1024

/** What a disk had beside its volumes, and the partition table in it. */
export interface StoredFrame {
  readonly regions: readonly Region[]
  /** Undefined when the disk's table was not whole. */
  readonly table: PartitionTable | undefined
  /** Whether the bytes can be put back as they are. */
  readonly isInGoodOrder: boolean
}

/** Fetches the frame that was kept with a revision; undefined when there is none. */
export async function fetchFrame(
  restoreId: string,
  revision: RevisionToRestore,
  keys: ChunkKeys,
  context: RequestContext,
): Promise<StoredFrame | undefined> {
  const { frame, placement } = revision.volume
  if (frame === undefined || placement === undefined) return undefined
  const sizeBytes = frame.chunkCount * revision.chunkSizeBytes
  if (sizeBytes > frameSizeBytesMax) {
    const message = `revision ${revision.revisionId} says that ${sizeBytes} bytes of it are the frame of its disk`
    throw new TaskFailure(taskFailures.dataDamaged, message)
  }
  const content = await fetchChunks(
    restoreId,
    revision,
    { from: 0, to: frame.chunkCount, sizeBytes },
    keys,
    context,
  )
  let at = 0
  const regions = frame.extents.map((extent) => {
    const bytes = content.subarray(at, at + extent.sizeBytes)
    at += extent.sizeBytes
    return { offsetBytes: extent.offsetBytes, bytes }
  })
  const { disk } = placement
  const table = await tableOf(regions, disk)
  return { regions, table, isInGoodOrder: table !== undefined && table.problems.length === 0 }
}

async function tableOf(
  regions: readonly Region[],
  disk: { readonly sizeBytes: number; readonly sectorSizeBytes: SectorSizeBytes },
) {
  try {
    return await readFrameTable(regions, {
      diskSizeBytes: disk.sizeBytes,
      sectorSizeBytes: disk.sectorSizeBytes,
    })
  } catch (error) {
    // Parts that overlap or leave the disk: not a frame that one of our agents wrote.
    if (error instanceof DiskFailure) return undefined
    throw error
  }
}
