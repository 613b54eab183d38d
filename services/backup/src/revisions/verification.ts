import { type Static, Type } from 'typebox'

/** What came of reading a revision in the vault and comparing its chunks with their names. */
export const RevisionVerification = Type.Object({
  state: Type.Enum(['SUCCESS', 'DAMAGED']),
  /** Milliseconds since 1970. */
  atMs: Type.Integer(),
  /** Of the chunks that were read; 100 are all. */
  samplePercent: Type.Integer({ minimum: 1, maximum: 100 }),
  /** What is wrong, in a sentence; empty when nothing is. */
  message: Type.String(),
})
export type RevisionVerification = Static<typeof RevisionVerification>
