import { type Static, Type } from 'typebox'

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
