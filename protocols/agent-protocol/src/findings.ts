import { type Static, Type } from 'typebox'
import { folderLengthMax } from './limits.ts'
import { failureMessageLengthMax } from './task-failures.ts'

/** What came of starting a machine that was restored for nothing else. */
export const ProofResult = Type.Object({
  /** Its system runs; it cannot start; or the time was over before it showed either. */
  verdict: Type.Union([Type.Literal('runs'), Type.Literal('fails'), Type.Literal('unclear')]),
  /** One sentence for the operator. */
  reason: Type.String(),
  /** From the start of the machine to the verdict. */
  tookMs: Type.Integer({ minimum: 0 }),
})
export type ProofResult = Static<typeof ProofResult>

/** What an agent finds when it compares the volume on a disk with a revision; or why it cannot, in one sentence. */
export const DiskComparison = Type.Union([
  Type.Object({
    chunksCompared: Type.Integer({ minimum: 0 }),
    chunksDifferent: Type.Integer({ minimum: 0 }),
    /** Where in the volume the first of them begin, in bytes: told by older agents only; others keep it in the log of their computer. */
    firstDifferences: Type.Array(Type.Integer({ minimum: 0 }), { maxItems: 10 }),
  }),
  Type.Object({ failure: Type.String() }),
])
export type DiskComparison = Static<typeof DiskComparison>

/** Disks that programs of an agent's computer can read while they are in the vault, each as `revision-` and the id of its revision. */
export const ServedDisks = Type.Object({
  /** Where an NBD server listens: a Unix socket, absolute. Whoever may open it may read. */
  socketPath: Type.String({ maxLength: folderLengthMax }),
  /** How many reads have failed. */
  failures: Type.Integer({ minimum: 0 }),
  /** Why the last of them did, in one sentence. */
  lastFailure: Type.Optional(Type.String({ maxLength: failureMessageLengthMax })),
})
export type ServedDisks = Static<typeof ServedDisks>
