export { CommitMetadata, CommitReply, Hardware } from './commit.ts'
export { DiskComparison } from './comparison.ts'
export { DiskFormat } from './disk-format.ts'
export { KeyCheck } from './end-to-end.ts'
export { ChunkKeysReply, EnrolmentReply, EnrolmentRequest } from './enrolment.ts'
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
  VolumeDescription,
} from './messages.ts'
export { ProofResult } from './proof.ts'
export * from './wire.ts'
