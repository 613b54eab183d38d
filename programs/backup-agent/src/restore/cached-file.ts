import { writeSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { type LinuxFileCalls, linuxFileCalls } from '../system-calls/linux-files.ts'
import type { DiskFile } from './disk-file.ts'

/** How much of what was read stays in the cache, so that the disk always has something to write. */
const lagBytes = 64 * 1024 * 1024

/**
 * A file that is written through the system's cache and read back from there, each byte once. What was written is on its way to
 * the disk at once, and what was read leaves the cache soon afterwards, for which the thread waits when the disk is the slower one:
 * a restore neither fills the memory with what waits to be written nor pushes out what the machine works with. Where the system has
 * no such calls it does both when it sees fit.
 */
export class CachedFile implements DiskFile {
  readonly #handle: FileHandle
  readonly #calls: LinuxFileCalls | undefined
  /** What was read and not dropped, in the order of reading. */
  readonly #read: { readonly position: number; readonly sizeBytes: number }[] = []
  #readBytes = 0

  private constructor(handle: FileHandle, calls: LinuxFileCalls | undefined) {
    this.#handle = handle
    this.#calls = calls
  }

  /** Rejects with the system's error when the file cannot be opened. */
  static async open(path: string): Promise<CachedFile> {
    const calls = await linuxFileCalls()
    return new CachedFile(await open(path, 'r+'), calls)
  }

  get cachedDescriptor(): number {
    return this.#handle.fd
  }

  async read(target: Uint8Array, position: number): Promise<number> {
    let done = 0
    while (done < target.byteLength) {
      const { bytesRead } = await this.#handle.read(target, done, target.byteLength - done, position + done)
      if (bytesRead === 0) break
      done += bytesRead
    }
    this.#dropLater(position, done)
    return done
  }

  async write(bytes: Uint8Array, position: number): Promise<void> {
    let done = 0
    while (done < bytes.byteLength) {
      done += (await this.#handle.write(bytes, done, bytes.byteLength - done, position + done)).bytesWritten
    }
    this.#calls?.beginWriteback(this.#handle.fd, position, bytes.byteLength)
  }

  writeSync(bytes: Uint8Array, position: number): void {
    const { fd } = this.#handle
    let done = 0
    while (done < bytes.byteLength) {
      done += writeSync(fd, bytes, done, bytes.byteLength - done, position + done)
    }
    this.#calls?.beginWriteback(fd, position, bytes.byteLength)
  }

  async close(): Promise<void> {
    for (const { position, sizeBytes } of this.#read.splice(0)) this.#drop(position, sizeBytes)
    await this.#handle.close()
  }

  #dropLater(position: number, sizeBytes: number): void {
    this.#read.push({ position, sizeBytes })
    this.#readBytes += sizeBytes
    while (this.#readBytes > lagBytes) {
      const oldest = this.#read.shift()
      if (oldest === undefined) break
      this.#readBytes -= oldest.sizeBytes
      this.#calls?.finishWriteback(this.#handle.fd, oldest.position, oldest.sizeBytes)
      this.#drop(oldest.position, oldest.sizeBytes)
    }
  }

  #drop(position: number, sizeBytes: number): void {
    this.#calls?.dropFromCache(this.#handle.fd, position, sizeBytes)
  }
}
