import { type FileHandle, open } from 'node:fs/promises'
import { idSizeBytes, isSet } from '@palisade/agent-protocol/wire'
import { type Extents, subtract } from '../backup/extents.ts'
import type { ChunkRange } from '../chunk-range.ts'
import type { ChunkIdFile } from '../state/chunk-id-file.ts'
import type { ChunkSet } from './chunk-set.ts'
import { readExactly } from './kept-files.ts'

/** How many ids are read, and asked about, at once. */
const idsPerPortion = 8192

/** Says of some ids which of them the server lacks, a bit for each. */
export type AskMissing = (ids: Buffer, count: number) => Promise<Uint8Array>

/** Chunks of a volume that are as they were, with the ids that they had. */
export class KnownChunks {
  readonly #chunks: ChunkSet
  readonly #ids: FileHandle
  readonly #firstId: number

  private constructor(chunks: ChunkSet, ids: FileHandle, firstId: number) {
    this.#chunks = chunks
    this.#ids = ids
    this.#firstId = firstId
  }

  /**
   * @param path of the ids of the earlier revision
   * @param firstId which of them is that of the volume's first chunk
   */
  static async open(chunks: ChunkSet, path: string, firstId: number): Promise<KnownChunks> {
    return new KnownChunks(chunks, await open(path, 'r'), firstId)
  }

  get count(): number {
    return this.#chunks.size
  }

  /** Forgets the chunks that the server no longer has, or takes for damaged. */
  async forgetMissing(ask: AskMissing): Promise<void> {
    let indexes: number[] = []
    let ids: Buffer[] = []
    const flush = async () => {
      if (indexes.length === 0) return
      const missing = await ask(Buffer.concat(ids), indexes.length)
      for (const [position, index] of indexes.entries())
        if (isSet(missing, position)) this.#chunks.remove(index)
      indexes = []
      ids = []
    }
    for await (const { from, bytes } of this.#portions()) {
      for (let at = 0; at < bytes.length; at += idSizeBytes) {
        const id = bytes.subarray(at, at + idSizeBytes)
        if (isZero(id)) continue
        indexes.push(from + at / idSizeBytes)
        ids.push(Buffer.from(id))
        if (indexes.length === idsPerPortion) await flush()
      }
    }
    await flush()
  }

  /** What of the volume is in none of them. */
  leftOutOf(extents: Extents): Extents {
    return subtract(extents, () => this.#chunks.extents())
  }

  /** The chunks of a range that are none of them. */
  othersIn(range: ChunkRange): Generator<ChunkRange> {
    return this.#chunks.runsOutside(range)
  }

  /** Gives their ids to a new revision. */
  async copyTo(target: ChunkIdFile, firstId: number): Promise<void> {
    for await (const { from, bytes } of this.#portions()) await target.write(firstId + from, bytes)
  }

  /** The numbers of the chunks that have another id in a revision whose volume was read as a whole. */
  async differencesFrom(target: ChunkIdFile, firstId: number): Promise<readonly number[]> {
    const different: number[] = []
    for await (const { from, bytes } of this.#portions()) {
      const read = await target.readMany(firstId + from, bytes.length / idSizeBytes)
      for (let at = 0; at < bytes.length; at += idSizeBytes) {
        if (bytes.compare(read, at, at + idSizeBytes, at, at + idSizeBytes) !== 0)
          different.push(from + at / idSizeBytes)
      }
    }
    return different
  }

  async close(): Promise<void> {
    await this.#ids.close()
  }

  async *#portions(): AsyncGenerator<{ readonly from: number; readonly bytes: Buffer }> {
    for (const run of this.#chunks.runs()) {
      for (let from = run.from; from < run.to; from += idsPerPortion) {
        const bytes = Buffer.alloc(Math.min(idsPerPortion, run.to - from) * idSizeBytes)
        yield { from, bytes: await readExactly(this.#ids, bytes, (this.#firstId + from) * idSizeBytes) }
      }
    }
  }
}

function isZero(id: Buffer): boolean {
  return id.every((byte) => byte === 0)
}
