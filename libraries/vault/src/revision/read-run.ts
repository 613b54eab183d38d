import { readUnlessDamaged, type StorageBackend } from '../storage/backend.ts'
import { type Run, splitRun } from './run.ts'

/** What was read of a run: all of it, or one of its chunks. */
export interface ReadRun {
  readonly run: Run
  /** In memory of its own; nothing when they cannot be read. */
  readonly bytes: Buffer | undefined
}

/** Reads a run as a whole, and when that cannot be read chunk by chunk: a bad place then costs no more than the chunk that is there. */
export async function* readRun(backend: StorageBackend, run: Run): AsyncGenerator<ReadRun> {
  const bytes = await readUnlessDamaged(backend, run.object, run.offset, run.lengthBytes)
  if (bytes || run.chunks.length === 1) {
    yield { run, bytes }
    return
  }
  for (const part of splitRun(run)) yield* readRun(backend, part)
}
