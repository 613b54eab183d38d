export {
  type ByteSource,
  bufferSource,
  type FileSource,
  handleSource,
  openFile,
  readBytes,
} from './byte-source.ts'
export { checkDisk } from './check/check-disk.ts'
export { compareDisks } from './check/compare-disks.ts'
export { composeSource, type PlacedSource, sliceSource } from './compose-source.ts'
export { type BlockSet, presentBlocks } from './disk/block-set.ts'
export type { Allocation, DiskFormat, DiskPlan, DiskPlanBase, VhdPlan, VhdxPlan } from './disk/disk-plan.ts'
export type { DiskRequest } from './disk/disk-request.ts'
export { type Place, placeOf, placesOf } from './disk/place.ts'
export type {
  DiskExtent,
  ImageFormat,
  ParentReference,
  ParentResolver,
  VirtualDisk,
} from './disk/virtual-disk.ts'
export { type Extent, extentOf, type Region } from './extent.ts'
export { DiskFailure, type DiskFailureCode } from './failure.ts'
export { type Finding, type FindingCode, findingCodes, type Severity } from './finding.ts'
export { checkPartitionTable } from './partitions/check.ts'
export { readDiskFrame, readFrameTable } from './partitions/disk-frame.ts'
export { encodePartitionTable } from './partitions/encode.ts'
export {
  type ExtendedPartition,
  gptAttributes,
  type Partition,
  type PartitionScheme,
  type PartitionTable,
  type PartitionTableProblem,
  type PartitionTableProblemCode,
  partitionTypes,
  type ReadPartitionTable,
  type SectorSizeBytes,
} from './partitions/partition-table.ts'
export { readPartitionTable } from './partitions/read.ts'
export {
  planSingleVolumeDisk,
  type SingleVolumeDisk,
  type SingleVolumeDiskRequest,
} from './partitions/single-volume-disk.ts'
export {
  planVolumesDisk,
  type VolumesDisk,
  type VolumesDiskRequest,
  type VolumeToPlace,
} from './partitions/volumes-disk.ts'
export { type CopyRequest, planCopy } from './plan/plan-copy.ts'
export { planDisk } from './plan/plan-disk.ts'
export { structuresOf } from './plan/structures.ts'
export { allocatedExtents, dataExtents } from './read/allocated-extents.ts'
export { type DiskDescription, describeDisk } from './read/describe-disk.ts'
export { type OpenOptions, openDisk } from './read/open-disk.ts'
export { type DiskFile, formatOfName, type OpenFileOptions, openDiskFile } from './read/open-disk-file.ts'
export { rawDisk } from './read/raw-disk.ts'
export { beginDiskFile, finishDiskFile, writeDiskData, writeDiskFile } from './write/disk-file.ts'
export { type DiskSink, streamDisk } from './write/stream-disk.ts'
