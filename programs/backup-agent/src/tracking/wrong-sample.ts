import { randomInt } from 'node:crypto'
import { alignedLength, allocateAligned, applyPatch, DirectFile, makePatch } from '@palisade/vault/chunks'
import { type ChunkRange, chunkLength } from '../chunks/chunk-range.ts'
import type { PartlyUnchanged, UnchangedPieces } from './unchanged-pieces.ts'

/** How many chunks are looked at that are taken for unchanged as a whole, and how many of the others. */
const samplesMax = 8

/** Where a volume lies as it was, and as it is. */
export interface VolumeTwice {
  readonly before: string
  readonly now: string
  /** Where it begins in both. */
  readonly offsetBytes: number
}

/**
 * Reads a few chunks, chosen at random, of which something is taken for unchanged, as they were and as they are: what was there before,
 * with what was changed laid over it, has to be what is there now. The system's word alone is not taken for it.
 *
 * @returns the number of the first chunk for which that is not so
 */
export async function findWrongSample(
  unchanged: UnchangedPieces,
  volume: VolumeTwice,
): Promise<number | undefined> {
  const before = await DirectFile.open(volume.before, 'read')
  try {
    const now = await DirectFile.open(volume.now, 'read')
    try {
      return await findWrong(unchanged, before, now, volume.offsetBytes)
    } finally {
      await now.close()
    }
  } finally {
    await before.close()
  }
}

async function findWrong(
  unchanged: UnchangedPieces,
  before: DirectFile,
  now: DirectFile,
  volumeOffsetBytes: number,
): Promise<number | undefined> {
  const { geometry } = unchanged.chunks
  const sizeMaxBytes = alignedLength(geometry.chunkSizeBytes)
  const [roomBefore, roomNow] = [allocateAligned(sizeMaxBytes), allocateAligned(sizeMaxBytes)]
  for (const { index, dirty } of samplesOf(unchanged)) {
    const lengthBytes = chunkLength(geometry, index)
    const readFrom = async (file: DirectFile, room: Buffer) => {
      const target = room.subarray(0, alignedLength(lengthBytes))
      const size = await file.read(target, volumeOffsetBytes + index * geometry.chunkSizeBytes)
      return target.subarray(0, Math.min(size, lengthBytes))
    }
    // One behind the other: when one fails, nothing is under way in a file that is closed then.
    const was = await readFrom(before, roomBefore)
    const is = await readFrom(now, roomNow)
    if (dirty !== undefined) applyPatch(was, makePatch(is, dirty))
    if (!was.equals(is)) return index
  }
  return undefined
}

/** Some of the chunks that are unchanged as a whole, and some of those that are in part. */
function* samplesOf(unchanged: UnchangedPieces): Generator<Partial<PartlyUnchanged> & { index: number }> {
  const { chunks } = unchanged
  for (const index of numbersAt(chosen(chunks.size), chunks.runs())) yield { index }
  const partial = [...unchanged.partial()]
  for (const place of chosen(partial.length)) {
    const part = partial[place]
    if (part !== undefined) yield part
  }
}

/** As many different places among so many as are looked at, in order. */
function chosen(count: number): readonly number[] {
  const places = new Set<number>()
  while (places.size < Math.min(samplesMax, count)) places.add(randomInt(count))
  return [...places].sort((one, other) => one - other)
}

/** The numbers of the chunks that stand at some places, which are in order, among those of the runs. */
function* numbersAt(places: readonly number[], runs: Iterable<ChunkRange>): Generator<number> {
  const remaining = places.values()
  let next = remaining.next()
  let passed = 0
  for (const { from, to } of runs) {
    for (; next.done !== true && next.value < passed + to - from; next = remaining.next())
      yield from + next.value - passed
    passed += to - from
  }
}
