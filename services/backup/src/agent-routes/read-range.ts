import { RequestRefused } from '@palisade/platform'

/** A reply covers so many chunks of the volume at most; their places are looked up before it begins. */
const chunksPerReplyMax = 65_536

/** Positions of chunks that a request names by `from` and `to`, the end exclusive. @throws RequestRefused bad-request */
export function readRange(query: Readonly<Record<string, unknown>>, chunkCount: number) {
  const [from, to] = [readPosition(query, 'from'), readPosition(query, 'to')]
  if (from > to || to > chunkCount || to - from > chunksPerReplyMax) {
    throw new RequestRefused(
      'bad-request',
      `from and to must be a range of at most ${chunksPerReplyMax} of the revision's ${chunkCount} chunks.`,
    )
  }
  return { from, to }
}

function readPosition(query: Readonly<Record<string, unknown>>, name: string): number {
  const text = query[name]
  if (typeof text === 'string' && /^\d{1,10}$/.test(text)) return Number(text)
  throw new RequestRefused('bad-request', `The parameter ${name} must be the position of a chunk.`)
}
