import assert from 'node:assert/strict'
import { createHash, randomBytes, randomInt } from 'node:crypto'
import {
  closeSync,
  copyFileSync,
  openSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'

const mebibyte = 2 ** 20
const sizeBytes = 48 * mebibyte
const randomBytesAtFirst = 16 * mebibyte

/** What is written to an image between two backups of it. */
export interface Writes {
  readonly countMin: number
  readonly countMax: number
  readonly sizeBytes: number
  /** Where they begin is a multiple of this. */
  readonly alignmentBytes: number
}

/** An image that is changed at random places, with a copy of it for each revision, as it was when it was backed up. */
export class ChangingImage {
  readonly path: string
  readonly #folder: string
  readonly #writes: readonly Writes[]
  readonly #copies = new Map<number, string>()

  /**
   * Makes the image.
   *
   * @param folder for the copies
   * @param writes all of them are done at each change
   */
  constructor(path: string, folder: string, writes: readonly Writes[]) {
    this.path = path
    this.#folder = folder
    this.#writes = writes
    writeFileSync(path, randomBytes(randomBytesAtFirst))
    truncateSync(path, sizeBytes)
  }

  change(): void {
    const file = openSync(this.path, 'r+')
    for (const writes of this.#writes) {
      const places = Math.floor((sizeBytes - writes.sizeBytes) / writes.alignmentBytes) + 1
      for (let count = randomInt(writes.countMin, writes.countMax + 1); count > 0; count--) {
        const at = randomInt(places) * writes.alignmentBytes
        writeSync(file, randomBytes(writes.sizeBytes), 0, writes.sizeBytes, at)
      }
    }
    closeSync(file)
  }

  /** Notes that a revision was made of the image as it is; which was not changed since, when that is noted already. */
  wasBackedUp(revision: number): void {
    if (this.#copies.has(revision)) return
    const copy = join(this.#folder, `image-${revision}`)
    copyFileSync(this.path, copy)
    this.#copies.set(revision, copy)
  }

  /** The copy of the image for a revision. */
  copyOf(revision: number): string {
    const copy = this.#copies.get(revision)
    assert.ok(copy, `nobody has made revision ${revision}`)
    return copy
  }

  /** Any revision that there is a copy for. */
  anyRevision(): number {
    const revisions = [...this.#copies.keys()]
    const revision = revisions[randomInt(revisions.length)]
    assert.ok(revision !== undefined)
    return revision
  }

  /** Removes the copies for all revisions but these. */
  forgetAllBut(revisions: ReadonlySet<number>): void {
    for (const [revision, copy] of this.#copies) {
      if (revisions.has(revision)) continue
      rmSync(copy)
      this.#copies.delete(revision)
    }
  }

  /** How much different data the copies hold, in chunks of a size; zeros do not count. */
  distinctBytes(chunkSizeBytes: number): number {
    const chunks = new Set<string>()
    const zeros = Buffer.alloc(chunkSizeBytes)
    for (const copy of this.#copies.values()) {
      const content = readFileSync(copy)
      for (let at = 0; at < content.length; at += chunkSizeBytes) {
        const chunk = content.subarray(at, at + chunkSizeBytes)
        if (!chunk.equals(zeros)) chunks.add(createHash('sha256').update(chunk).digest('hex'))
      }
    }
    return chunks.size * chunkSizeBytes
  }
}
