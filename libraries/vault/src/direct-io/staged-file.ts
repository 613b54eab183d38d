/**
 * A file that is written from its first byte to its last, past the system's cache.
 *
 *     pieces ──copied──> filling ──full──> emptying ──> disk
 *                           └──────────────────────────> the end that fills no buffer, through the cache
 *
 * Pieces have any length, and the disk takes whole pages only. So they are collected in one buffer while another is on its
 * way. What is written here is not read again soon: in the cache it would push out what is, and new pages for the
 * cache cost more than the copy.
 */
import { type FileHandle, open } from 'node:fs/promises'
import { DirectFile } from './direct-file.ts'
import type { StagingMemory } from './staging-memory.ts'

/** A file that is written from its start to its end, past the system's cache where the file system can. */
export class StagedFile {
  readonly #path: string
  readonly #file: FileHandle
  readonly #memory: StagingMemory
  /** What the next bytes go to; undefined while there is nothing in it. */
  #filling: Buffer | undefined
  #filledBytes = 0
  /** Where in the file what is in `filling` will be. */
  #position = 0
  #direct: DirectFile | undefined
  /** The write of the last full buffer. */
  #emptying: Promise<void> = Promise.resolve()

  private constructor(path: string, file: FileHandle, memory: StagingMemory) {
    this.#path = path
    this.#file = file
    this.#memory = memory
  }

  /** Creates the file for its owner only. Rejects with the system's error, also when there is one of this name. */
  static async create(path: string, memory: StagingMemory): Promise<StagedFile> {
    return new StagedFile(path, await open(path, 'wx', 0o600), memory)
  }

  /**
   * Appends the pieces in order. They may be reused once this has resolved. Rejects with the system's error, also of an
   * append before: the file is then good for nothing but `close`.
   */
  async append(pieces: readonly Uint8Array[]): Promise<void> {
    for (const piece of pieces) {
      for (let at = 0; at < piece.length; ) at += await this.#take(piece.subarray(at))
    }
  }

  /** Writes what is left; nothing is appended afterwards. */
  async end(): Promise<void> {
    await this.#emptying
    if (this.#filling !== undefined) await this.#writeCached(this.#filling.subarray(0, this.#filledBytes))
    this.#giveBack()
  }

  /** Makes everything durable that was written before. */
  async sync(): Promise<void> {
    await this.#file.sync()
  }

  /** Waits for what is under way and closes the file, ended or not. Closing twice is no failure. */
  async close(): Promise<void> {
    // Whoever appends or ends is told of it; here it only matters that it is over.
    await this.#emptying.catch(() => undefined)
    this.#giveBack()
    const direct = this.#direct
    // Its number may be another file's as soon as it is closed.
    this.#direct = undefined
    await direct?.close()
    await this.#file.close()
  }

  /** @returns how many bytes of the piece are taken care of */
  async #take(piece: Uint8Array): Promise<number> {
    this.#filling ??= this.#memory.take()
    if (this.#filling === undefined) {
      await this.#writeCached(piece)
      return piece.length
    }
    const part = piece.subarray(0, this.#filling.length - this.#filledBytes)
    this.#filling.set(part, this.#filledBytes)
    this.#filledBytes += part.length
    if (this.#filledBytes === this.#filling.length) await this.#empty(this.#filling)
    return part.length
  }

  /** Lets a full buffer go to the disk beside what comes next. */
  async #empty(full: Buffer): Promise<void> {
    await this.#emptying
    this.#direct ??= await DirectFile.open(this.#path, 'read-write')
    this.#emptying = this.#direct.write(full, this.#position).finally(() => this.#memory.give(full))
    // It is awaited before the next buffer goes and before the file ends.
    this.#emptying.catch(() => undefined)
    this.#filling = undefined
    this.#filledBytes = 0
    this.#position += full.length
  }

  async #writeCached(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; ) {
      const { bytesWritten } = await this.#file.write(bytes, at, bytes.length - at, this.#position)
      at += bytesWritten
      this.#position += bytesWritten
    }
  }

  #giveBack(): void {
    if (this.#filling !== undefined) this.#memory.give(this.#filling)
    this.#filling = undefined
    this.#filledBytes = 0
  }
}
