export { CommitMetadata, CommitReply, Hardware } from './commit.ts'
export { ChunkKeysReply, EnrolmentReply, EnrolmentRequest, KeyCheck } from './enrolment.ts'
export { DiskComparison, ProofResult, ServedDisks } from './findings.ts'
export {
  Allocation,
  DiskFolder,
  DiskFormat,
  HostAddress,
  HostAnswer,
  HostDescription,
  HostQuestion,
  MachineToMake,
  MadeMachine,
  Obstacle,
} from './hosts.ts'
export { MessageOrigin, type OriginatedMessage, originOf } from './message-origin.ts'
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
  VolumeDescription,
} from './messages.ts'
export * from './wire.ts'
