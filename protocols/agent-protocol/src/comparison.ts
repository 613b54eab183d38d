import { type Static, Type } from 'typebox'

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
