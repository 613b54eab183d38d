import { type Static, Type } from 'typebox'
import { VolumeDescription } from './messages.ts'

/** The head of a commit: what the new revision is a backup of. The ids of its chunks follow. */
export const CommitMetadata = Type.Object({
  volume: VolumeDescription,
  chunkSizeBytes: Type.Integer({ minimum: 4096 }),
  chunkCount: Type.Integer({ minimum: 0 }),
  /** When the source was read, milliseconds since 1970. */
  createdAtMs: Type.Integer(),
})
export type CommitMetadata = Static<typeof CommitMetadata>

export const CommitReply = Type.Object({ revisionId: Type.Integer() })
export type CommitReply = Static<typeof CommitReply>
