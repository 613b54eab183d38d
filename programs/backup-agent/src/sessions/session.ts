/** What tasks have worker threads do. */

import type { ChunkKeys, SealingKeys } from '@palisade/vault'
import type { DiskPlan, Extent } from '@palisade/virtual-disk'
import type { ChunkGeometry, ChunkRange } from '../chunks/chunk-range.ts'
import type { ServerConnection } from '../server/connection.ts'
import type { RetryPolicy } from '../server/retry-request.ts'
import type { BandwidthLimit } from './bandwidth.ts'

/** One kind of work over the chunks of one volume. */
export type SessionSpec = SendSpec | WriteSpec | StreamSpec

interface SpecBase {
  readonly geometry: ChunkGeometry
  readonly keys: ChunkKeys
  readonly connection: ServerConnection
  readonly retryPolicy: RetryPolicy
  /** Shared by all threads: the bytes of the volume that are done. */
  readonly bytesDone: BigInt64Array
}

/** Read chunks of a volume, name them, and send those that the server lacks. */
export interface SendSpec extends SpecBase {
  readonly kind: 'send'
  readonly keys: SealingKeys
  readonly backupId: string
  readonly sourcePath: string
  /** Where the volume begins in the source. */
  readonly sourceOffsetBytes: number
  /** Of what is sent; undefined when there is none. */
  readonly limit?: BandwidthLimit | undefined
}

/** Which chunks are fetched for a restore. */
export interface FetchSpec extends SpecBase {
  readonly restoreId: string
  readonly revisionId: number
  /** Which chunk of the revision is the first of the volume; everywhere else chunks are counted from there. */
  readonly firstChunk: number
  /** A bit per chunk: whether it is stored; the others are zeros. Shared by all threads. */
  readonly presence: Uint8Array
}

/** Fetch chunks, write them to their places on the disk, and read them back. */
export interface WriteSpec extends FetchSpec {
  readonly kind: 'write'
  /** Leads to the disk's file, which exists with its length and everything but data and seals. */
  readonly diskPath: string
  /** Its path for messages. */
  readonly shownPath: string
  readonly plan: DiskPlan
  /** Where the volume begins on the disk. */
  readonly partitionOffsetBytes: number
  /** How many bytes behind the volume's last one belong to nobody else and are zeros. */
  readonly roomBehindBytes: number
  /** Whether what is read back has to come from the disk, and not from the system's cache. */
  readonly verifiesFromDisk: boolean
}

/** Fetch chunks and hand them over in memory, to whoever sends them on in order. */
export interface StreamSpec extends FetchSpec {
  readonly kind: 'stream'
  /** Room for the stored chunks of a range each, one behind another. Shared by all threads. */
  readonly slots: readonly Uint8Array[]
}

/** The chunks that one job deals with. */
export interface JobRange extends ChunkRange {
  /** Which of a stream's slots its chunks go to; nobody else has it meanwhile. */
  readonly slot?: number
  /**
   * Of a backup: the parts that are read, in order, counted from the first byte of the range; all others are zeros.
   * Without it everything is read.
   */
  readonly allocated?: readonly Extent[]
  /**
   * Of a backup: the ranges, in order and without parts of their own, that are read and sent together; what lies between them is left
   * alone. The ids are those of their chunks. Without it the range is the only one.
   */
  readonly parts?: readonly JobRange[]
  /** Of a backup: the maps of the patches that chunks may be sent as, by the numbers of the chunks. */
  readonly patchMaps?: ReadonlyMap<number, Uint8Array>
}

/** What a worker does with the ranges of one session. */
export interface WorkerSession {
  /**
   * @returns for a backup and a stream the ids of the chunks, 32 bytes each, zeros for a chunk of zeros; for a job with patch maps behind
   *   them as many ids of patches, zeros for a chunk that is not patched
   */
  run(range: JobRange): Promise<Uint8Array>
  /** Ends what is under way: it rejects. */
  close(): void
}
