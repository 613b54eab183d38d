import type { Place } from '../chunk-index/chunk-index.ts'
import { ObjectMissing } from '../failure.ts'
import { readUnlessDamaged, type StorageBackend } from '../storage/backend.ts'

/** A stretch of one pack that holds wanted chunks and can be read, or sent, as a whole. */
export interface Run {
  /** Name of the pack's object in the storage. */
  readonly object: string
  /** From the start of the pack. */
  readonly offset: number
  readonly lengthBytes: number
  /** The sealed chunks in it, by their place in the run. */
  readonly chunks: readonly RunChunk[]
}

/** Where a chunk lies in a run. */
export interface RunChunk {
  /** Position of the chunk in the revision (or in the list of ids that was asked for). */
  readonly position: number
  /** Of the sealed chunk, from the start of the run. */
  readonly offset: number
  readonly lengthBytes: number
}

/** A chunk's place in the storage and its position in what the caller asked for. */
export interface ChunkToRead extends Place {
  readonly position: number
}

/** Reading so many unwanted bytes is cheaper than another read; the 36 bytes between neighbours always are. */
const gapMaxBytes = 4096

/**
 * Joins chunks that lie close together in a pack to runs of at most `runMaxBytes` (a longer chunk is a run by itself).
 * Runs come in the order of the first position they serve, so whoever asks for neighbouring positions gets them
 * roughly in the order of the volume while the reads stay large.
 */
export function planRuns(
  requests: ChunkToRead[],
  objectOf: (pack: number) => string,
  runMaxBytes: number,
): Run[] {
  requests.sort((a, b) => a.pack - b.pack || a.offset - b.offset || a.position - b.position)
  const runs: Run[] = []
  let start = 0
  let endOffset = 0
  for (const [index, chunk] of requests.entries()) {
    const first = requests[start] ?? chunk
    const joins =
      index > 0 &&
      chunk.pack === first.pack &&
      chunk.offset <= endOffset + gapMaxBytes &&
      chunk.offset + chunk.lengthBytes - first.offset <= runMaxBytes
    if (!joins && index > 0) {
      runs.push(toRun(requests.slice(start, index), objectOf))
      start = index
    }
    endOffset = chunk.offset + chunk.lengthBytes
  }
  if (requests.length > 0) runs.push(toRun(requests.slice(start), objectOf))
  return runs.sort((a, b) => firstPosition(a) - firstPosition(b))
}

/** The chunks of a run as runs of their own. */
export function splitRun({ object, offset, chunks }: Run): Run[] {
  return chunks.map((chunk) => ({
    object,
    offset: offset + chunk.offset,
    lengthBytes: chunk.lengthBytes,
    chunks: [{ ...chunk, offset: 0 }],
  }))
}

function toRun(chunks: readonly ChunkToRead[], objectOf: (pack: number) => string): Run {
  const first = chunks[0]
  const last = chunks.at(-1)
  if (!first || !last) throw new RangeError('a run has at least one chunk')
  return {
    object: objectOf(first.pack),
    offset: first.offset,
    lengthBytes: last.offset + last.lengthBytes - first.offset,
    chunks: chunks.map(({ position, offset, lengthBytes }) => ({
      position,
      offset: offset - first.offset,
      lengthBytes,
    })),
  }
}

function firstPosition(run: Run): number {
  return run.chunks.reduce((least, chunk) => Math.min(least, chunk.position), Number.POSITIVE_INFINITY)
}

/** What was read of a run: all of it, or one of its chunks. */
export interface ReadRun {
  readonly run: Run
  /** In memory of its own; nothing when they cannot be read. */
  readonly bytes: Buffer | undefined
}

/** Reads a run as a whole, and when that cannot be read chunk by chunk: a bad place then costs no more than the chunk that is there. */
export async function* readRun(backend: StorageBackend, run: Run): AsyncGenerator<ReadRun> {
  const bytes = await readUnlessDamaged(backend, run.object, run.offset, run.lengthBytes).catch(missing)
  if (bytes === 'missing' || bytes || run.chunks.length === 1) {
    yield { run, bytes: bytes === 'missing' ? undefined : bytes }
    return
  }
  for (const part of splitRun(run)) yield* readRun(backend, part)
}

function missing(error: unknown): 'missing' {
  if (error instanceof ObjectMissing) return 'missing'
  throw error
}
