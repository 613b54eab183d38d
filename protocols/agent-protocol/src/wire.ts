/**
 * What has no form to be checked: frames, addresses, codes. Threads that move bytes take it from here (`@palisade/agent-protocol/wire`),
 * without the library of forms, which takes a thread 0.2 s and 13 MiB to load.
 */
export { isAllowedDestination } from './destinations.ts'
export { domainName } from './domain-name.ts'
export { FrameError, readFrames } from './frame-reader.ts'
export {
  type ChunkFrame,
  downloadHeader,
  downloadHeaderSizeBytes,
  idSizeBytes,
  isSet,
  type PatchedFrame,
  patchedEntrySizeBytes,
  patchedHeader,
  patchedHeaderSizeBytes,
  readPatchedFrame,
  sealedSizeMaxBytes,
  setBit,
  uploadHeader,
  uploadHeaderSizeBytes,
} from './frames.ts'
export {
  agentMessageSizeMaxBytes,
  chunkCountMax,
  chunkSizeMaxBytes,
  chunkSizeMinBytes,
  folderLengthMax,
  isMachineName,
  isScreenshot,
  machineNameLengthMax,
  patchedChunksMax,
  restoredRevisionsMax,
  restoreFoldersMax,
  screenshotSizeMaxBytes,
  serverMessageSizeMaxBytes,
  sourceFaultLengthMax,
  volumesMax,
} from './limits.ts'
export { agentPaths, heartbeatMs, silenceMaxMs } from './paths.ts'
export { partitionAtEnd, withPartition } from './source-partition.ts'
export { failureMessageLengthMax, taskFailures } from './task-failures.ts'
export {
  instanceHeader,
  protocolHeader,
  protocolVersions,
  readProtocolVersions,
  sharedVersion,
  whyNoSharedVersion,
  writeProtocolVersions,
} from './version.ts'
