export {
  type ByteSource,
  bufferSource,
  type FileSource,
  handleSource,
  openFile,
  readBytes,
} from './byte-source.ts'
export type { Extent, Region } from './extent.ts'
export { DiskFailure, type DiskFailureCode } from './failure.ts'
export { encodePartitionTable } from './partitions/encode.ts'
export {
  type ExtendedPartition,
  gptAttributes,
  type Partition,
  type PartitionScheme,
  type PartitionTable,
  partitionTypes,
  type SectorSizeBytes,
} from './partitions/partition-table.ts'
export {
  type PartitionTableProblem,
  type PartitionTableProblemCode,
  type ReadPartitionTable,
  readPartitionTable,
} from './partitions/read.ts'
export {
  planSingleVolumeDisk,
  type SingleVolumeDisk,
  type SingleVolumeDiskRequest,
} from './partitions/single-volume-disk.ts'
