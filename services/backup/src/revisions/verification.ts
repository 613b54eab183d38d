import { type Static, Type } from 'typebox'

/** What came of reading a revision in the vault and comparing its chunks with their names. */
export const RevisionVerification = Type.Object({
  state: Type.Enum(['SUCCESS', 'DAMAGED']),
  /** Milliseconds since 1970. */
  atMs: Type.Integer(),
  /** Of the chunks that were read; 100 are all. */
  samplePercent: Type.Integer({ minimum: 1, maximum: 100 }),
  /**
   * What was compared of each chunk: its content with its name, or of those that are sealed end to end the sealed bytes with
   * their mark, which says nothing about what is in them. Left out by versions that knew only the former.
   */
  compared: Type.Optional(Type.Enum(['content', 'sealed-bytes'])),
  /** Whose word it is; the vault's own when left out. What an agent alone can open, it alone can find damaged. */
  foundBy: Type.Optional(Type.Literal('agent')),
  /** What is wrong, in a sentence; empty when nothing is. */
  message: Type.String(),
})
export type RevisionVerification = Static<typeof RevisionVerification>

/** What is wrong with a revision as a whole. */
export const notInVault = 'the vault does not have it'
/** The message of a revision whose list of chunks is damaged. */
export const listUnreadable = 'the list of its chunks cannot be read'
