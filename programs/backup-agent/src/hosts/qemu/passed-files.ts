/**
 * Files that QEMU gets open, as the descriptors 3, 4, 5 … of its process, and knows by the name of a set: `/dev/fdset/3`, `/dev/fdset/4` …
 * It needs no rights to their folders then, and opens exactly what was looked at.
 * (QEMU's documentation, "-add-fd")
 */
import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'

const { O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDWR, O_TRUNC, O_WRONLY } = constants
/** A disk is opened for both: QEMU asks for a descriptor with the rights that it needs. */
const diskFlags = O_RDWR | O_NOFOLLOW | O_NONBLOCK
const recordFlags = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW

/** Those of standard input, output and error come first. */
const firstDescriptor = 3

/** The open files of one start of QEMU. Close them whether it starts or not. */
export class PassedFiles {
  readonly #handles: FileHandle[] = []
  readonly #parameters: string[] = []

  /** The descriptors of this process, in the order of those in QEMU's. */
  get descriptors(): readonly number[] {
    return this.#handles.map(({ fd }) => fd)
  }

  /** What QEMU is told of those that have names. */
  get parameters(): readonly string[] {
    return this.#parameters
  }

  /**
   * Opens a disk.
   *
   * @returns what QEMU calls it
   * @throws Error when it is a link, or neither a file nor a block device; the system's error when it cannot be opened
   */
  async addDisk(path: string): Promise<string> {
    const handle = await open(path, diskFlags)
    const name = this.#addNamed(handle)
    const facts = await handle.stat()
    if (facts.isFile() || facts.isBlockDevice()) return name
    throw new Error(`${path} is neither a file nor a block device`)
  }

  /** Makes a file, or empties the one that is there, for what QEMU writes to it. @returns what QEMU calls it */
  async addRecord(path: string): Promise<string> {
    return this.#addNamed(await open(path, recordFlags, 0o600))
  }

  /** Something that is open already, and is closed with the others. @returns its descriptor in QEMU's process */
  addOpen(handle: FileHandle): number {
    return firstDescriptor + this.#handles.push(handle) - 1
  }

  /** Closes them in this process; in QEMU's they stay open. */
  async close(): Promise<void> {
    for (const handle of this.#handles) await handle.close()
  }

  #addNamed(handle: FileHandle): string {
    const descriptor = this.addOpen(handle)
    this.#parameters.push('-add-fd', `fd=${descriptor},set=${descriptor}`)
    return `/dev/fdset/${descriptor}`
  }
}
