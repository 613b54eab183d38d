import { VaultFailure } from '../failure.ts'
import type { ObjectWriter } from '../storage/backend.ts'
import {
  encodePackEnd,
  encodePackHeader,
  encodeRecordHeader,
  type PackIdentity,
  packFooterBytes,
  packHeaderBytes,
  packSizeMaxBytes,
  recordHeaderBytes,
  tableEntryBytes,
} from './pack-format.ts'

interface PackedChunk {
  readonly id: Uint8Array
  readonly offset: number
  readonly lengthBytes: number
}

/**
 * Writes one pack. Chunks get their place at once and are written in the order of the calls; what arrives while a
 * write is under way goes out together with the next. Only those chunks are in memory that have not been written.
 */
export class PackWriter {
  readonly identity: PackIdentity
  readonly createdMs: number
  readonly #opening: Promise<ObjectWriter>
  readonly #chunks: PackedChunk[] = []
  #nextOffset = packHeaderBytes
  #waiting: Uint8Array[]
  /** The last write asked for; once one has failed, all later ones do. */
  #tail: Promise<void> = Promise.resolve()
  /** The write that has not begun yet and will take along what is waiting. */
  #scheduled: Promise<void> | undefined
  #finished = false

  constructor(identity: PackIdentity, createdMs: number, opening: Promise<ObjectWriter>) {
    this.identity = identity
    this.createdMs = createdMs
    this.#opening = opening
    this.#waiting = [encodePackHeader(identity)]
    // A failed opening is reported by the first write; without one nobody needs to know.
    opening.catch(() => undefined)
  }

  /** Size the pack would have if it ended now. */
  get sizeBytes(): number {
    return this.#nextOffset + this.#chunks.length * tableEntryBytes + packFooterBytes
  }

  get isEmpty(): boolean {
    return this.#chunks.length === 0
  }

  /**
   * Appends a sealed chunk. Its place is fixed at once; `written` resolves when the bytes may be reused, and rejects
   * when the pack has failed, which then is true for all of its chunks.
   */
  append(id: Uint8Array, sealed: Uint8Array): { readonly offset: number; readonly written: Promise<void> } {
    if (this.#finished || this.sizeBytes + recordHeaderBytes + sealed.length > packSizeMaxBytes) {
      throw new VaultFailure('invalid-argument', 'the pack is finished or full')
    }
    const offset = this.#nextOffset + recordHeaderBytes
    this.#chunks.push({ id: Uint8Array.from(id), offset, lengthBytes: sealed.length })
    this.#nextOffset = offset + sealed.length
    this.#waiting.push(encodeRecordHeader(id, sealed.length), sealed)
    return { offset, written: this.#write() }
  }

  /** Writes the table and makes the pack durable and visible. */
  async finish(): Promise<void> {
    this.#finished = true
    this.#waiting.push(encodePackEnd(this.identity, this.createdMs, this.#nextOffset, this.#chunks))
    await this.#write()
    const object = await this.#opening
    await object.commit()
  }

  /** Gives the pack up with all its chunks. */
  async abort(): Promise<void> {
    this.#finished = true
    const object = await this.#opening.catch(() => undefined)
    // Whoever appended has been told of a failed write; here it only matters that it is over.
    await this.#tail.catch(() => undefined)
    await object?.abort()
  }

  /** Resolves when everything appended so far is written, by the next write, whoever has asked for it first. */
  #write(): Promise<void> {
    this.#scheduled ??= this.#tail = this.#tail.then(async () => {
      const pieces = this.#waiting
      this.#waiting = []
      this.#scheduled = undefined
      const object = await this.#opening
      await object.write(pieces)
    })
    return this.#scheduled
  }
}
