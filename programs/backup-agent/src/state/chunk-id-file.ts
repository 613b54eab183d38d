import { createReadStream } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { idSizeBytes } from '@palisade/agent-protocol/wire'

/**
 * The ids of a volume's chunks, in a file of the work directory: 2 GiB of them for 64 TiB are not kept in
 * memory. Where nothing was written the id is zeros, which stands for a chunk of zeros.
 */
export class ChunkIdFile {
  readonly sizeBytes: number
  #path: string
  #isMoved = false
  readonly #file: FileHandle

  private constructor(path: string, file: FileHandle, sizeBytes: number) {
    this.#path = path
    this.#file = file
    this.sizeBytes = sizeBytes
  }

  static async create(path: string, chunkCount: number): Promise<ChunkIdFile> {
    const file = await open(path, 'w+', 0o600)
    const sizeBytes = chunkCount * idSizeBytes
    await file.truncate(sizeBytes)
    return new ChunkIdFile(path, file, sizeBytes)
  }

  async write(from: number, ids: Uint8Array): Promise<void> {
    await this.#file.write(ids, 0, ids.length, from * idSizeBytes)
  }

  /** The id of one chunk. */
  read(index: number): Promise<Buffer> {
    return this.readMany(index, 1)
  }

  /** The ids of some chunks, one behind another. */
  async readMany(from: number, count: number): Promise<Buffer> {
    const ids = Buffer.alloc(count * idSizeBytes)
    await this.#file.read(ids, 0, ids.length, from * idSizeBytes)
    return ids
  }

  /** All ids from the first on, piece by piece. */
  pieces(): AsyncIterable<Buffer> {
    return createReadStream(this.#path, { highWaterMark: 1024 * 1024 })
  }

  /** Puts the file, made durable, to another place on the same file system. It is as open as before. */
  async moveTo(path: string): Promise<void> {
    await this.#file.sync()
    await rename(this.#path, path)
    this.#path = path
    this.#isMoved = true
  }

  /** Closes the file and, where it was not moved, removes it. */
  async remove(): Promise<void> {
    await this.#file.close()
    if (!this.#isMoved) await rm(this.#path, { force: true })
  }
}
