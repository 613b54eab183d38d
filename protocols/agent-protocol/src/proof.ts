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
