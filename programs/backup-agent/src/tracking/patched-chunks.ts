import { open, readFile } from 'node:fs/promises'
import { idSizeBytes, patchedChunksMax } from '@palisade/agent-protocol/wire'
import { patchMapBytes } from '@palisade/vault/chunks'

const positionBytes = 4
const patchAt = positionBytes + idSizeBytes
const mapAt = patchAt + idSizeBytes
const entryBytes = mapAt + patchMapBytes

/** How a chunk is stored that has no chunk of its own. */
export interface Patched {
  /** The id of the chunk that the patch is laid over. */
  readonly base: Uint8Array
  /** The id of the patch. */
  readonly patch: Uint8Array
  /** Which pieces the patch has. */
  readonly map: Uint8Array
}

/** A patched chunk of a revision, by its position in the revision. */
export interface PatchedChunk extends Patched {
  readonly position: number
}

/**
 * The patched chunks of a revision, in memory as they lie in a file: for each its position (four bytes, the lowest first), the id of
 * its base, that of its patch, and the map of the patch; in a file ascending by position.
 */
export class PatchedChunks {
  #entries: Buffer
  /** Which entry is that of a position. */
  readonly #places = new Map<number, number>()

  /** None. */
  constructor() {
    this.#entries = Buffer.alloc(0)
  }

  /** Reads a file that {@link writeTo} has made. */
  static async readFrom(path: string): Promise<PatchedChunks> {
    const patched = new PatchedChunks()
    const entries = await readFile(path)
    if (entries.length % entryBytes !== 0) throw new Error('a file of kept patches is cut off')
    for (let at = 0; at < entries.length; at += entryBytes) patched.#place(entries.readUInt32LE(at))
    patched.#entries = entries
    return patched
  }

  /** Writes a new file; it is durable when this resolves. */
  async writeTo(path: string): Promise<void> {
    const file = await open(path, 'w', 0o600)
    try {
      const entries = this.#inOrder().map((at) => this.#entries.subarray(at, at + entryBytes))
      await file.writeFile(Buffer.concat(entries))
      await file.sync()
    } finally {
      await file.close()
    }
  }

  get count(): number {
    return this.#places.size
  }

  /** How the chunk at a position is stored; undefined when it is not patched. What this gives are views. */
  find(position: number): Patched | undefined {
    const at = this.#places.get(position)
    return at === undefined ? undefined : this.#entryAt(at)
  }

  /**
   * Adds one, wherever its position is among those that are there.
   *
   * @throws Error when there is one at its position, or when there are too many
   */
  add({ position, base, patch, map }: PatchedChunk): void {
    const at = this.#place(position)
    if (at === this.#entries.length) {
      const larger = Buffer.alloc(Math.max(2 * at, 64 * entryBytes))
      larger.set(this.#entries)
      this.#entries = larger
    }
    this.#entries.writeUInt32LE(position, at)
    this.#entries.set(base, at + positionBytes)
    this.#entries.set(patch, at + patchAt)
    this.#entries.set(map, at + mapAt)
  }

  /** All of them, ascending by position. What this gives are views. */
  *[Symbol.iterator](): Generator<PatchedChunk> {
    for (const at of this.#inOrder()) yield this.#entryAt(at)
  }

  /** Where the entry of a new position is to be. */
  #place(position: number): number {
    if (this.#places.has(position)) throw new Error(`chunk ${position} is patched twice`)
    if (this.count === patchedChunksMax) throw new Error(`more than ${patchedChunksMax} chunks are patched`)
    const at = this.count * entryBytes
    this.#places.set(position, at)
    return at
  }

  #inOrder(): readonly number[] {
    return [...this.#places].sort(([one], [other]) => one - other).map(([, at]) => at)
  }

  #entryAt(at: number): PatchedChunk {
    return {
      position: this.#entries.readUInt32LE(at),
      base: this.#entries.subarray(at + positionBytes, at + patchAt),
      patch: this.#entries.subarray(at + patchAt, at + mapAt),
      map: this.#entries.subarray(at + mapAt, at + entryBytes),
    }
  }
}
