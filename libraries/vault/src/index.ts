export { ChunkList } from './chunk/chunk-list.ts'
export * from './chunks.ts'
export { deriveChunkKeys, type VerificationKeys } from './keys/derive.ts'
export { deriveEndToEndKeys, type EndToEndKeys } from './keys/end-to-end.ts'
export { createKeyFile, readKeyFile } from './keys/key-file.ts'
export type { KeySource } from './keys/master-key.ts'
export {
  applyRetention,
  type DatedRevision,
  type RetentionDecision,
  type RetentionPolicy,
  type RetentionRule,
} from './retention/apply-retention.ts'
export {
  type PatchedChunk,
  type PatchedPosition,
  patchedEntryBytes,
  RevisionChunks,
  type SealedChunk,
} from './revision/revision-chunks.ts'
export type { Json, RevisionHead } from './revision/revision-head.ts'
export type { Run, RunChunk } from './revision/run.ts'
export type { ObjectWriter, StorageBackend, StorageLock } from './storage/backend.ts'
export { DirectoryBackend, type DirectoryOptions } from './storage/directory-backend.ts'
export { MemoryBackend } from './storage/memory-backend.ts'
export { S3Backend } from './storage/s3/s3-backend.ts'
export type { S3Options } from './storage/s3/s3-options.ts'
export type { BackupSession, NewRevision } from './vault/backup-session.ts'
export type { CheckOptions } from './vault/check.ts'
export type { ChunkReader } from './vault/chunk-reader.ts'
export type { CollectOptions, CollectReport } from './vault/collect.ts'
export type { Finding } from './vault/finding.ts'
export type { KeyDescription } from './vault/key-ring.ts'
export {
  createVault,
  openVault,
  readVaultKeys,
  requireEmptyPlace,
  type VaultOptions,
  vaultExists,
} from './vault/open-vault.ts'
export {
  type Contribution,
  openPackContributor,
  type PackContributor,
} from './vault/pack-contributor.ts'
export type { LostRevision, RepairOptions, RepairReport } from './vault/repair.ts'
export type { PatchedPortion, RevisionReader } from './vault/revision-reader.ts'
export type { Sample } from './vault/sample.ts'
export type { DomainUsage, Vault } from './vault/vault.ts'
