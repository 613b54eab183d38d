import { chunkIdBytes } from '../chunk/chunk-id.ts'
import { ChunkList } from '../chunk/chunk-list.ts'
import { VaultFailure } from '../failure.ts'

/** In a table of patched chunks: the position (four bytes, the lowest first), the id of the base and that of the patch. */
export const patchedEntryBytes = 4 + 2 * chunkIdBytes

/** A patched chunk of a revision. Its base is stored at its position. */
export interface PatchedPosition {
  readonly position: number
  /** Where its patch is among what is stored. */
  readonly patch: number
}

/** A sealed chunk that was read. */
export interface SealedChunk {
  readonly id: Buffer
  readonly sealed: Uint8Array
}

/** What a patched chunk is made of. */
export interface PatchedChunk {
  readonly position: number
  /** What its content is named. */
  readonly name: Buffer
  readonly base: SealedChunk
  readonly patch: SealedChunk
}

/**
 * The chunks of a revision. Each position has a name, the id of the content that is there. Most are stored under it; those that are
 * patched (chunk/patch.ts) are stored as a base and a patch, both under names of their own.
 *
 *     names     0 … count - 1     what the volume holds
 *     stored    0 … count - 1     the chunk that is stored for it: itself, or the base
 *               count …           the patches, in the order of the positions that they belong to
 */
export class RevisionChunks {
  /** How many chunks the volume has. */
  readonly count: number
  /** All that a revision needs to be there. */
  readonly stored: ChunkList
  /** Ascending. */
  readonly #patched: Uint32Array
  readonly #namesOfPatched: Buffer

  private constructor(stored: ChunkList, patched: Uint32Array, namesOfPatched: Buffer) {
    this.count = stored.length - patched.length
    this.stored = stored
    this.#patched = patched
    this.#namesOfPatched = namesOfPatched
  }

  /** Chunks that are all stored under their names. */
  static of(names: ChunkList): RevisionChunks {
    return new RevisionChunks(names, new Uint32Array(), Buffer.alloc(0))
  }

  /**
   * Chunks of which some are patched.
   *
   * @param table of {@link patchedEntryBytes} each, ascending by position
   * @throws VaultFailure `invalid-argument` when the table is none of these chunks
   */
  static patched(names: ChunkList, table: Uint8Array): RevisionChunks {
    const memory = Buffer.alloc(names.bytes.length + (table.length / patchedEntryBytes) * chunkIdBytes)
    memory.set(names.bytes)
    return RevisionChunks.within(memory, names.length, table)
  }

  /**
   * The same in memory that is taken over: the names, and behind them room for an id for each entry of the table.
   *
   * @throws VaultFailure `invalid-argument`
   */
  static within(memory: Buffer, count: number, table: Uint8Array): RevisionChunks {
    const entries = table.length / patchedEntryBytes
    if (!Number.isInteger(entries) || memory.length !== (count + entries) * chunkIdBytes) {
      throw invalid('it has not the length that it should have')
    }
    const stored = new ChunkList(memory)
    const positions = new Uint32Array(entries)
    const names = Buffer.alloc(entries * chunkIdBytes)
    const { buffer, byteOffset, byteLength } = table
    const view = new DataView(buffer, byteOffset, byteLength)
    for (let entry = 0; entry < entries; entry++) {
      const at = entry * patchedEntryBytes
      const position = view.getUint32(at, true)
      if (position >= count || (entry > 0 && position <= (positions[entry - 1] ?? 0))) {
        throw invalid('its positions are not in order, or beyond the volume')
      }
      if (stored.isZero(position)) throw invalid(`chunk ${position} is zeros and cannot be patched`)
      positions[entry] = position
      names.set(stored.id(position), entry * chunkIdBytes)
      stored.set(position, table.subarray(at + 4, at + 4 + chunkIdBytes))
      stored.set(count + entry, table.subarray(at + 4 + chunkIdBytes, at + patchedEntryBytes))
      if (stored.isZero(position) || stored.isZero(count + entry)) throw invalid('it names chunks of zeros')
    }
    return new RevisionChunks(stored, positions, names)
  }

  /** How many of the chunks are patched. */
  get patchedCount(): number {
    return this.#patched.length
  }

  /** The name of the content at a position of the volume, as a view; zeros where that is zeros. */
  nameOf(position: number): Buffer {
    const entry = this.#firstFrom(position)
    return this.#patched[entry] === position ? this.#nameOfEntry(entry) : this.stored.id(position)
  }

  /** The names at the positions [from, to), one behind another; not to be written to. */
  names(from: number, to: number): Buffer {
    if (this.patchedCount === 0) return this.stored.bytes.subarray(from * chunkIdBytes, to * chunkIdBytes)
    const names = Buffer.allocUnsafe((to - from) * chunkIdBytes)
    this.copyNames(from, to, names)
    return names
  }

  /** The same, copied to the beginning of given memory. */
  copyNames(from: number, to: number, into: Buffer): void {
    this.stored.bytes.copy(into, 0, from * chunkIdBytes, to * chunkIdBytes)
    for (const { position, patch } of this.patchedIn(from, to)) {
      into.set(this.#nameOfEntry(patch - this.count), (position - from) * chunkIdBytes)
    }
  }

  /** The patched chunks of [from, to), in order. */
  *patchedIn(from: number, to: number): Generator<PatchedPosition> {
    for (let entry = this.#firstFrom(from); entry < this.#patched.length; entry++) {
      const position = this.#patched[entry] ?? to
      if (position >= to) return
      yield { position, patch: this.count + entry }
    }
  }

  /** The positions of [from, to) that are not patched, in order. */
  *plainIn(from: number, to: number): Generator<number> {
    let next = from
    for (const { position } of this.patchedIn(from, to)) {
      for (; next < position; next++) yield next
      next = position + 1
    }
    for (; next < to; next++) yield next
  }

  /** The table that {@link patched} takes. */
  table(): Buffer {
    const table = Buffer.alloc(this.#patched.length * patchedEntryBytes)
    for (const { position, patch } of this.patchedIn(0, this.count)) {
      const at = (patch - this.count) * patchedEntryBytes
      table.writeUInt32LE(position, at)
      table.set(this.stored.id(position), at + 4)
      table.set(this.stored.id(patch), at + 4 + chunkIdBytes)
    }
    return table
  }

  #nameOfEntry(entry: number): Buffer {
    return this.#namesOfPatched.subarray(entry * chunkIdBytes, (entry + 1) * chunkIdBytes)
  }

  /** The first entry whose position is not before the given one. */
  #firstFrom(position: number): number {
    let [low, high] = [0, this.#patched.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#patched[middle] ?? 0) < position) low = middle + 1
      else high = middle
    }
    return low
  }
}

function invalid(why: string): VaultFailure {
  return new VaultFailure('invalid-argument', `the table of patched chunks is wrong: ${why}`)
}
