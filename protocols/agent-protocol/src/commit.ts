import { type Static, Type } from 'typebox'
import { KeyCheck } from './enrolment.ts'
import { patchedChunksMax } from './limits.ts'
import { VolumeDescription } from './messages.ts'

/** The machine that a boot volume was read on; a virtual machine that is made from it is measured by this. */
export const Hardware = Type.Object({
  /** Logical processors. */
  cores: Type.Integer({ minimum: 1 }),
  memoryMebibytes: Type.Integer({ minimum: 1 }),
  /** As the system tells it: 10.0.14393 on Windows, the version of the kernel on Linux. */
  osVersion: Type.String(),
  is64Bit: Type.Boolean(),
})
export type Hardware = Static<typeof Hardware>

/** The head of a commit: what the new revision is a backup of. The ids of its chunks follow, and what is said of those that are patched. */
export const CommitMetadata = Type.Object({
  volume: VolumeDescription,
  chunkSizeBytes: Type.Integer({ minimum: 4096 }),
  /** Those of the volume's frame included. */
  chunkCount: Type.Integer({ minimum: 0 }),
  /** How many of them are patched; none when it is left out. */
  patchedCount: Type.Optional(Type.Integer({ minimum: 0, maximum: patchedChunksMax })),
  /** When the source was read, milliseconds since 1970. */
  createdAtMs: Type.Integer(),
  /** Of boot volumes only. */
  hardware: Type.Optional(Hardware),
  /** Of what the computer has sealed with its own key. */
  endToEnd: Type.Optional(Type.Object({ keyCheck: KeyCheck })),
})
export type CommitMetadata = Static<typeof CommitMetadata>

/** The reply to a commit: the revision that is now visible. */
export const CommitReply = Type.Object({ revisionId: Type.Integer() })
export type CommitReply = Static<typeof CommitReply>
