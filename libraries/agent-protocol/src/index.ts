export { CommitMetadata, CommitReply, Hardware } from './commit.ts'
export { DiskComparison } from './comparison.ts'
export { DiskFormat } from './disk-format.ts'
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
  Allocation,
  DiskFolder,
  HostAddress,
  HostAnswer,
  HostDescription,
  HostQuestion,
  MachineToMake,
  MadeMachine,
  Obstacle,
} from './hosts.ts'
export {
  AgentMessage,
  BackupSource,
  DiscoveredVolume,
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
