import { VaultFailure } from '../failure.ts'
import type { ObjectWriter, StorageBackend, StorageLock } from './backend.ts'
import { assertObjectName, assertPrefix } from './object-name.ts'

/** Objects in memory, with the same promises as every backend except that they end with the process. For tests. */
export class MemoryBackend implements StorageBackend {
  readonly description = 'memory'
  readonly #objects: Map<string, Buffer>
  #locked = false

  constructor(objects = new Map<string, Buffer>()) {
    this.#objects = objects
  }

  async lock(): Promise<StorageLock> {
    if (this.#locked) throw new VaultFailure('locked', 'the memory is in use')
    this.#locked = true
    return {
      release: async () => {
        this.#locked = false
      },
    }
  }

  /** Nothing to remove: unfinished objects live in their writers only. */
  async removeUnfinished(): Promise<void> {}

  async put(name: string, content: Uint8Array): Promise<void> {
    assertObjectName(name)
    this.#objects.set(name, Buffer.from(content))
  }

  async create(name: string): Promise<ObjectWriter> {
    assertObjectName(name)
    let pieces: Buffer[] | undefined = []
    const open = (): Buffer[] => {
      if (!pieces) throw new VaultFailure('closed', 'the object is no longer being written')
      return pieces
    }
    return {
      write: async (more) => {
        for (const piece of more) open().push(Buffer.from(piece))
      },
      commit: async () => {
        this.#objects.set(name, Buffer.concat(open()))
        pieces = undefined
      },
      abort: async () => {
        pieces = undefined
      },
    }
  }

  async sizeBytes(name: string): Promise<number | undefined> {
    assertObjectName(name)
    return this.#objects.get(name)?.length
  }

  async read(name: string, offsetBytes: number, into: Uint8Array): Promise<void> {
    assertObjectName(name)
    const content = this.#objects.get(name)
    if (!content || content.length < offsetBytes + into.length) {
      throw new VaultFailure('damaged', `${name} is missing or too short`)
    }
    into.set(content.subarray(offsetBytes, offsetBytes + into.length))
  }

  async list(prefix: string): Promise<string[]> {
    assertPrefix(prefix)
    return [...this.#objects.keys()].filter((name) => name.startsWith(prefix))
  }

  async delete(name: string): Promise<void> {
    assertObjectName(name)
    this.#objects.delete(name)
  }
}
