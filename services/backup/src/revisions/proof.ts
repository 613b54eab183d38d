import { ProofResult } from '@palisade/agent-protocol'
import { type Static, Type } from 'typebox'

/** What came of starting a machine that was restored of some revisions, as it is kept with each of them. */
export const RevisionProof = Type.Object({
  ...ProofResult.properties,
  /** The restore that was made for it. */
  restoreId: Type.String(),
  /** Milliseconds since 1970. */
  atMs: Type.Integer(),
  hasScreenshot: Type.Boolean(),
})
export type RevisionProof = Static<typeof RevisionProof>
