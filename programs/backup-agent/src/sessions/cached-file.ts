import { DirectFile } from '@palisade/vault/chunks'
import { type LinuxFileCalls, linuxFileCalls } from '../system-calls/linux-files.ts'

/** How much of what was read stays in the cache, so that the disk always has something to write. */
const lagBytes = 64 * 1024 * 1024

/**
 * A file that is written through the system's cache and read back from there, each byte once. What was written is on its way to
 * the disk at once, and what was read leaves the cache soon afterwards, for which the thread waits when the disk is the slower one:
 * a restore neither fills the memory with what waits to be written nor pushes out what the machine works with. Where the system has
 * no such calls it does both when it sees fit.
 */
export class CachedFile {
  readonly #file: DirectFile
  readonly #calls: LinuxFileCalls | undefined
  /** What was read and not dropped, in the order of reading. */
  readonly #read: { readonly position: number; readonly sizeBytes: number }[] = []
  #readBytes = 0

  private constructor(file: DirectFile, calls: LinuxFileCalls | undefined) {
    this.#file = file
    this.#calls = calls
  }

  /** Rejects with the system's error when the file cannot be opened. */
  static async open(path: string): Promise<CachedFile> {
    const calls = await linuxFileCalls()
    return new CachedFile(await DirectFile.openCached(path), calls)
  }

  get cachedDescriptor(): number {
    return this.#file.cachedDescriptor
  }

  async read(target: Uint8Array, position: number): Promise<number> {
    const sizeBytes = await this.#file.read(target, position)
    this.#dropLater(position, sizeBytes)
    return sizeBytes
  }

  async write(bytes: Uint8Array, position: number): Promise<void> {
    await this.#file.write(bytes, position)
    this.#calls?.beginWriteback(this.cachedDescriptor, position, bytes.byteLength)
  }

  writeSync(bytes: Uint8Array, position: number): void {
    this.#file.writeSync(bytes, position)
    this.#calls?.beginWriteback(this.cachedDescriptor, position, bytes.byteLength)
  }

  async close(): Promise<void> {
    for (const { position, sizeBytes } of this.#read.splice(0)) this.#drop(position, sizeBytes)
    await this.#file.close()
  }

  #dropLater(position: number, sizeBytes: number): void {
    this.#read.push({ position, sizeBytes })
    this.#readBytes += sizeBytes
    while (this.#readBytes > lagBytes) {
      const oldest = this.#read.shift()
      if (oldest === undefined) break
      this.#readBytes -= oldest.sizeBytes
      this.#calls?.finishWriteback(this.cachedDescriptor, oldest.position, oldest.sizeBytes)
      this.#drop(oldest.position, oldest.sizeBytes)
    }
  }

  #drop(position: number, sizeBytes: number): void {
    this.#calls?.dropFromCache(this.cachedDescriptor, position, sizeBytes)
  }
}
