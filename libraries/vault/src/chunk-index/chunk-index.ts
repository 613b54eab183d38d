import { randomBytes } from 'node:crypto'
import { chunkIdBytes } from '../chunk/chunk-id.ts'
import type { ChunkList } from '../chunk/chunk-list.ts'

/** Where a sealed chunk lies. `pack` is a number that the owner of the index gives a meaning. */
export interface Place {
  readonly pack: number
  readonly offset: number
  readonly lengthBytes: number
}

const idWords = chunkIdBytes / 4
const capacityMin = 256

/**
 * Maps chunk ids to places, about 60 bytes a chunk: the entries lie side by side in typed arrays, in the order in
 * which they came; a table of twice their number, with open addressing, leads from an id to its entry. An entry keeps
 * its number for the life of the index; entries are never removed, only given another place.
 */
export class ChunkIndex {
  #capacity: number
  #size = 0
  #ids: Int32Array
  #packs: Uint32Array
  #offsets: Uint32Array
  #lengths: Uint32Array
  /** Entry number + 1, or zero. */
  #slots: Uint32Array
  /** Random, so that nobody can choose ids that all fall into the same slots. */
  readonly #mixer = randomBytes(4).readInt32LE() | 1

  constructor(capacity = capacityMin) {
    this.#capacity = roundUp(capacity)
    this.#ids = new Int32Array(this.#capacity * idWords)
    this.#packs = new Uint32Array(this.#capacity)
    this.#offsets = new Uint32Array(this.#capacity)
    this.#lengths = new Uint32Array(this.#capacity)
    this.#slots = new Uint32Array(this.#capacity * 2)
  }

  /** Number of entries; they are numbered from zero. */
  get size(): number {
    return this.#size
  }

  get memoryBytes(): number {
    const columns = [this.#ids, this.#packs, this.#offsets, this.#lengths, this.#slots]
    return columns.reduce((sum, { byteLength }) => sum + byteLength, 0)
  }

  /** The entry of the id at a position of a list, or -1. */
  find(ids: ChunkList, position: number): number {
    return (this.#slots[this.#slotOf(ids, position)] ?? 0) - 1
  }

  /** Gives the id at a position of a list its place, instead of the former one if it had one. */
  set(ids: ChunkList, position: number, pack: number, offset: number, lengthBytes: number): number {
    if (this.#size === this.#capacity) this.#grow(this.#capacity * 2)
    const slot = this.#slotOf(ids, position)
    const entryInSlot = (this.#slots[slot] ?? 0) - 1
    const entry = entryInSlot >= 0 ? entryInSlot : this.#size++
    if (entryInSlot < 0) {
      this.#slots[slot] = entry + 1
      for (let word = 0; word < idWords; word++) this.#ids[entry * idWords + word] = ids.word(position, word)
    }
    this.#packs[entry] = pack
    this.#offsets[entry] = offset
    this.#lengths[entry] = lengthBytes
    return entry
  }

  /** Makes room for so many entries in all. */
  reserve(capacity: number): void {
    if (capacity > this.#capacity) this.#grow(roundUp(capacity))
  }

  packOf(entry: number): number {
    return this.#packs[entry] ?? 0
  }

  offsetOf(entry: number): number {
    return this.#offsets[entry] ?? 0
  }

  lengthOf(entry: number): number {
    return this.#lengths[entry] ?? 0
  }

  /** Gives an entry another place for the same sealed chunk. */
  move(entry: number, pack: number, offset: number): void {
    this.#packs[entry] = pack
    this.#offsets[entry] = offset
  }

  /** Copies the id of an entry to a position of a list. */
  copyId(entry: number, ids: ChunkList, position: number): void {
    for (let word = 0; word < idWords; word++) {
      ids.bytes.writeInt32LE(this.#ids[entry * idWords + word] ?? 0, position * chunkIdBytes + word * 4)
    }
  }

  /** The slot that holds the id, or the empty one where it belongs. The table is at most half full. */
  #slotOf(ids: ChunkList, position: number): number {
    const mask = this.#slots.length - 1
    let slot = this.#hash(ids.word(position, 0), ids.word(position, 1)) & mask
    for (;;) {
      const entry = (this.#slots[slot] ?? 0) - 1
      if (entry < 0 || this.#isIdOf(entry, ids, position)) return slot
      slot = (slot + 1) & mask
    }
  }

  #isIdOf(entry: number, ids: ChunkList, position: number): boolean {
    const start = entry * idWords
    for (let word = 0; word < idWords; word++) {
      if (this.#ids[start + word] !== ids.word(position, word)) return false
    }
    return true
  }

  /** Ids are hashes already; two of their words, mixed with a secret, spread well. */
  #hash(first: number, second: number): number {
    const mixed = Math.imul(first ^ Math.imul(second, this.#mixer), this.#mixer)
    return mixed ^ (mixed >>> 15)
  }

  #grow(capacity: number): void {
    this.#capacity = capacity
    this.#ids = enlarge(this.#ids, new Int32Array(capacity * idWords))
    this.#packs = enlarge(this.#packs, new Uint32Array(capacity))
    this.#offsets = enlarge(this.#offsets, new Uint32Array(capacity))
    this.#lengths = enlarge(this.#lengths, new Uint32Array(capacity))
    this.#slots = new Uint32Array(capacity * 2)
    const mask = this.#slots.length - 1
    for (let entry = 0; entry < this.#size; entry++) {
      let slot = this.#hash(this.#ids[entry * idWords] ?? 0, this.#ids[entry * idWords + 1] ?? 0) & mask
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask
      this.#slots[slot] = entry + 1
    }
  }
}

function enlarge<Column extends Int32Array | Uint32Array>(from: Column, to: Column): Column {
  to.set(from)
  return to
}

/** The next power of two. */
function roundUp(capacity: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(capacity, capacityMin)))
}
