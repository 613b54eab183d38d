import { createHash } from 'node:crypto'
import type { ChunkList } from '../chunk/chunk-list.ts'
import { VaultFailure } from '../failure.ts'

/** A random part of all chunks: the same for the same seed, another for another. */
export interface Sample {
  /** Above 0, at most 1: the likelihood of each chunk to be chosen. */
  readonly fraction: number
  readonly seed: string
}

/**
 * Whether a chunk belongs to a sample. Ids are hashes already, so one word of an id, mixed with the seed, decides.
 *
 * @throws VaultFailure `invalid-argument`
 */
export function chooserOf({ fraction, seed }: Sample): (ids: ChunkList, position: number) => boolean {
  if (!(fraction > 0 && fraction <= 1)) {
    throw new VaultFailure('invalid-argument', 'the fraction of a sample is above 0 and at most 1')
  }
  const salt = createHash('sha256').update(seed).digest().readInt32LE(0)
  return (ids, position) => mix(ids.word(position, 2) ^ salt) < fraction * 2 ** 32
}

/** The finalizer of MurmurHash3: every bit of the input changes about half of the 32 of the result. */
function mix(word: number): number {
  let mixed = word
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
