import { open } from 'node:fs/promises'
import { idSizeBytes, isSet } from '@palisade/agent-protocol/wire'
import { isAllZero, patchLength } from '@palisade/vault/chunks'
import { type ChunkRange, chunkCountOf } from '../chunks/chunk-range.ts'
import { type Extents, subtract } from '../chunks/extents.ts'
import type { ChunkIdFile } from '../state/chunk-id-file.ts'
import type { ChunkSet } from './chunk-set.ts'
import { readExactly } from './kept-files.ts'
import { findPartlyChanged, type PartlyChanged, type PreviousIds } from './partly-changed.ts'
import { PatchedChunks } from './patched-chunks.ts'
import type { UnchangedPieces } from './unchanged-pieces.ts'

/** How many ids are read, and asked about, at once. */
const idsPerPortion = 8192

/** Says of some ids which of them the server lacks, a bit for each. */
export type AskMissing = (ids: Buffer, count: number) => Promise<Uint8Array>

/** Consecutive chunks of a volume. */
interface Portion {
  /** The number of the first one. */
  readonly from: number
  /** Of all of them; zeros for those that have changed. */
  readonly ids: Buffer
  /** The numbers of those that have not changed, in order. */
  readonly members: readonly number[]
}

/** The chunks of a volume that have not changed since the revision before, with their ids there; and those that changed a little, with what a patch of
 * each is made of. */
export class ReusedChunks {
  readonly #chunks: ChunkSet
  readonly #partlyChanged: Map<number, PartlyChanged>
  readonly #previous: PreviousIds

  private constructor(chunks: ChunkSet, partlyChanged: Map<number, PartlyChanged>, previous: PreviousIds) {
    this.#chunks = chunks
    this.#partlyChanged = partlyChanged
    this.#previous = previous
  }

  /**
   * @param path of the ids of the earlier revision
   * @param previousIds what is known of that revision beside them
   */
  static async open(
    unchanged: UnchangedPieces,
    path: string,
    previousIds: Omit<PreviousIds, 'ids'> & { readonly patchedChunksMax: number },
  ): Promise<ReusedChunks> {
    const ids = await open(path, 'r')
    try {
      const { patchedChunksMax, ...previous } = { ...previousIds, ids }
      const partlyChanged = await findPartlyChanged(unchanged, previous, patchedChunksMax)
      return new ReusedChunks(unchanged.chunks, partlyChanged, previous)
    } catch (error) {
      await ids.close()
      throw error
    }
  }

  /** How many have not changed. */
  get count(): number {
    return this.#chunks.size
  }

  /** How many others can be patched. */
  get partlyChangedCount(): number {
    return this.#partlyChanged.size
  }

  /** How much is left to be read, in whole chunks, and to be sent at most: a patch of each chunk that can be patched, all others whole. */
  get leftBytes(): { readonly read: number; readonly sent: number } {
    const { volumeSizeBytes, chunkSizeBytes } = this.#chunks.geometry
    const read = volumeSizeBytes - this.#chunks.sizeBytes
    let sentBytes = read - this.#partlyChanged.size * chunkSizeBytes
    for (const { map } of this.#partlyChanged.values()) sentBytes += patchLength(chunkSizeBytes, map)
    return { read, sent: sentBytes }
  }

  /** Forgets the chunks that the server no longer has, or takes for damaged: as a whole, or of a patched one the base or the patch. */
  async forgetMissing(ask: AskMissing): Promise<void> {
    let indexes: number[] = []
    let ids: Uint8Array[] = []
    const askForThem = async () => {
      if (indexes.length === 0) return
      const missing = await ask(Buffer.concat(ids), indexes.length)
      for (const [position, index] of indexes.entries()) if (isSet(missing, position)) this.#forget(index)
      indexes = []
      ids = []
    }
    for await (const needed of this.#needed()) {
      for (const { index, id } of needed) {
        indexes.push(index)
        ids.push(id)
      }
      if (indexes.length >= idsPerPortion) await askForThem()
    }
    await askForThem()
  }

  /** What a patch of a chunk is to be made of; undefined when it is not to be patched. */
  patchOf(index: number): PartlyChanged | undefined {
    return this.#partlyChanged.get(index)
  }

  /**
   * The unchanged chunks that are stored as patches: they stay so in a new revision.
   *
   * @param firstId which chunk of the new revision is the volume's first one
   */
  carried(firstId: number): PatchedChunks {
    const carried = new PatchedChunks()
    for (const { position, ...patched } of this.#previous.patched) {
      const index = position - this.#previous.firstId
      if (this.#chunks.has(index)) carried.add({ position: firstId + index, ...patched })
    }
    return carried
  }

  /** The parts of the extents that are in none of the unchanged chunks. */
  leftOutOf(extents: Extents): Extents {
    return subtract(extents, () => this.#chunks.extents())
  }

  /** The chunks of a range that have changed. */
  othersIn(range: ChunkRange): Generator<ChunkRange> {
    return this.#chunks.runsOutside(range)
  }

  /** Writes the ids of the unchanged chunks to a new revision. */
  async copyTo(target: ChunkIdFile, firstId: number): Promise<void> {
    for await (const { from, ids } of this.#portions()) await target.write(firstId + from, ids)
  }

  /** The numbers of the chunks that have another id in a revision whose volume was read as a whole. */
  async differencesFrom(target: ChunkIdFile, firstId: number): Promise<readonly number[]> {
    const different: number[] = []
    for await (const { from, ids, members } of this.#portions()) {
      const read = await target.readMany(firstId + from, ids.length / idSizeBytes)
      for (const index of members) {
        const at = (index - from) * idSizeBytes
        if (ids.compare(read, at, at + idSizeBytes, at, at + idSizeBytes) !== 0) different.push(index)
      }
    }
    return different
  }

  async close(): Promise<void> {
    await this.#previous.ids.close()
  }

  /** The ids that the server must still have, none to two for a chunk, in portions of no more than twice {@link idsPerPortion}. */
  async *#needed(): AsyncGenerator<readonly { readonly index: number; readonly id: Uint8Array }[]> {
    const { firstId, patched } = this.#previous
    for await (const { from, ids, members } of this.#portions()) {
      const needed = []
      for (const index of members) {
        const at = (index - from) * idSizeBytes
        const entry = patched.find(firstId + index)
        const stored = entry === undefined ? [ids.subarray(at, at + idSizeBytes)] : [entry.base, entry.patch]
        for (const id of stored) if (!isAllZero(id)) needed.push({ index, id })
      }
      yield needed
    }
    const partly = [...this.#partlyChanged].map(([index, { base: id }]) => ({ index, id }))
    for (let from = 0; from < partly.length; from += idsPerPortion)
      yield partly.slice(from, from + idsPerPortion)
  }

  #forget(index: number): void {
    this.#chunks.remove(index)
    this.#partlyChanged.delete(index)
  }

  /** The unchanged chunks with their ids as a revision has them: zeros stand for all others between them. */
  async *#portions(): AsyncGenerator<Portion> {
    const { ids, firstId } = this.#previous
    const chunkCount = chunkCountOf(this.#chunks.geometry)
    for (let from = 0; from < chunkCount; from += idsPerPortion) {
      const to = Math.min(from + idsPerPortion, chunkCount)
      const members = this.#chunks.within({ from, to })
      if (members.length === 0) continue
      const bytes = Buffer.alloc((to - from) * idSizeBytes)
      await readExactly(ids, bytes, (firstId + from) * idSizeBytes)
      for (const run of this.#chunks.runsOutside({ from, to }))
        bytes.fill(0, (run.from - from) * idSizeBytes, (run.to - from) * idSizeBytes)
      yield { from, ids: bytes, members }
    }
  }
}
