import { close, constants, open, read, write, writeSync } from 'node:fs'
import { promisify } from 'node:util'
import { systemCode } from '@palisade/private-files'
import { isAligned } from './aligned-memory.ts'

const openFile = promisify(open)
const closeFile = promisify(close)
const readFile = promisify(read)
const writeFile = promisify(write)

/** Opening a pipe that somebody has put in the place of a file does not wait for who writes to it. */
const withoutWaiting = constants.O_NONBLOCK ?? 0
/** Undefined where the system has no such thing. */
const directFlag: number | undefined = constants.O_DIRECT

/**
 * A file that is read and written past the system's cache wherever memory, place and length are aligned, and
 * through it otherwise, also where a file system knows no other way.
 *
 * A backup reads every byte once: keeping them in the cache would push out what the machine itself works with. New
 * pages for the cache are also what such a copy costs most: reading 4 GiB of holes took nine seconds through the cache
 * and a fifth of a second past it.
 */
export class DirectFile {
  readonly #cached: number
  readonly #direct: number | undefined
  #isDirectUsable: boolean

  private constructor(cached: number, direct: number | undefined) {
    this.#cached = cached
    this.#direct = direct
    this.#isDirectUsable = direct !== undefined
  }

  /** Rejects with the system's error when the file cannot be opened; nothing is open then. */
  static async open(path: string, access: 'read' | 'read-write'): Promise<DirectFile> {
    const flags = (access === 'read' ? constants.O_RDONLY : constants.O_RDWR) | withoutWaiting
    const cached = await openFile(path, flags)
    try {
      return new DirectFile(cached, await openDirect(path, flags))
    } catch (error) {
      await closeFile(cached)
      throw error
    }
  }

  /** The same for reading and writing, with everything through the cache. */
  static async openCached(path: string): Promise<DirectFile> {
    return new DirectFile(await openFile(path, constants.O_RDWR | withoutWaiting), undefined)
  }

  /** For what is neither aligned nor much. */
  get cachedDescriptor(): number {
    return this.#cached
  }

  /**
   * Reads into `target` from `position` on, up to its end or that of the file.
   *
   * @returns how many bytes were read
   */
  async read(target: Uint8Array, position: number): Promise<number> {
    let done = 0
    while (done < target.byteLength) {
      const part = target.subarray(done)
      const size = await this.#perform(part, position + done, readSome)
      if (size === 0) break
      done += size
    }
    return done
  }

  /** The bytes must stay as they are until this resolves. */
  async write(bytes: Uint8Array, position: number): Promise<void> {
    let done = 0
    while (done < bytes.byteLength) {
      done += await this.#perform(bytes.subarray(done), position + done, writeSome)
    }
  }

  /** The same at once: the thread waits. */
  writeSync(bytes: Uint8Array, position: number): void {
    let done = 0
    while (done < bytes.byteLength) done += this.#writeSomeSync(bytes.subarray(done), position + done)
  }

  /** Nothing may be under way. */
  async close(): Promise<void> {
    await closeFile(this.#cached)
    if (this.#direct !== undefined) await closeFile(this.#direct)
  }

  async #perform(bytes: Uint8Array, position: number, action: Action): Promise<number> {
    const direct = this.#directFor(bytes, position)
    if (direct === undefined) return action(this.#cached, bytes, position)
    try {
      return await action(direct, bytes, position)
    } catch (error) {
      this.#giveUpDirect(error)
      return action(this.#cached, bytes, position)
    }
  }

  #writeSomeSync(bytes: Uint8Array, position: number): number {
    const direct = this.#directFor(bytes, position)
    if (direct === undefined) return writeSync(this.#cached, bytes, 0, bytes.byteLength, position)
    try {
      return writeSync(direct, bytes, 0, bytes.byteLength, position)
    } catch (error) {
      this.#giveUpDirect(error)
      return writeSync(this.#cached, bytes, 0, bytes.byteLength, position)
    }
  }

  #directFor(bytes: Uint8Array, position: number): number | undefined {
    return this.#isDirectUsable && isAligned(bytes, position) ? this.#direct : undefined
  }

  /** Some file systems let one open a file so and then refuse, and some disks have unusual sectors. */
  #giveUpDirect(error: unknown): void {
    if (systemCode(error) !== 'EINVAL') throw error
    this.#isDirectUsable = false
  }
}

/** Moves some of the bytes, and says how many. */
type Action = (fd: number, bytes: Uint8Array, position: number) => Promise<number>

const readSome: Action = async (fd, target, position) =>
  (await readFile(fd, target, 0, target.byteLength, position)).bytesRead

const writeSome: Action = async (fd, bytes, position) =>
  (await writeFile(fd, bytes, 0, bytes.byteLength, position)).bytesWritten

async function openDirect(path: string, flags: number): Promise<number | undefined> {
  if (directFlag === undefined) return undefined
  try {
    return await openFile(path, flags | directFlag)
  } catch (error) {
    if (systemCode(error) === 'EINVAL') return undefined
    throw error
  }
}
