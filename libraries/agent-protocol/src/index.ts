export { CommitMetadata, CommitReply, Hardware } from './commit.ts'
export { domainName, KeyCheck } from './end-to-end.ts'
export { ChunkKeysReply, EnrolmentReply, EnrolmentRequest } from './enrolment.ts'
export { FrameError, readFrames } from './frame-reader.ts'
export {
  type ChunkFrame,
  downloadHeader,
  downloadHeaderSizeBytes,
  idSizeBytes,
  isSet,
  sealedSizeMaxBytes,
  setBit,
  uploadHeader,
  uploadHeaderSizeBytes,
} from './frames.ts'
export {
  AgentMessage,
  BackupSource,
  DiscoveredVolume,
  type DiskFormat,
  DiskFrame,
  DiskPlacement,
  Outcome,
  parseAgentMessage,
  parseServerMessage,
  RevisionToRestore,
  ServerMessage,
  type Task,
  taskFailures,
  VolumeDescription,
} from './messages.ts'
export { agentPaths, heartbeatMs, silenceMaxMs } from './paths.ts'
