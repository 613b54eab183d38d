import { ObjectMissing, VaultFailure } from '../failure.ts'
import type { ObjectWriter, StorageBackend, StorageLock } from './backend.ts'
import { assertObjectName, assertPrefix } from './object-name.ts'

interface Memory {
  readonly objects: Map<string, Buffer>
  /** The pieces of objects that are being written. */
  readonly unfinished: Set<Buffer[]>
  locked: boolean
}

/** Objects in memory, with the same promises as every backend except that they end with the process. For tests. */
export class MemoryBackend implements StorageBackend {
  readonly description = 'memory'
  readonly #memory: Memory

  constructor(memory: Memory = { objects: new Map(), unfinished: new Set(), locked: false }) {
    this.#memory = memory
  }

  /** A second opening of the same memory. */
  sharing(): MemoryBackend {
    return new MemoryBackend(this.#memory)
  }

  /** The same objects, as another process finds them when this one has died. */
  afterCrash(): MemoryBackend {
    return new MemoryBackend({ objects: new Map(this.#memory.objects), unfinished: new Set(), locked: false })
  }

  async lock(): Promise<StorageLock> {
    const memory = this.#memory
    if (memory.locked) throw new VaultFailure('locked', 'the memory is in use')
    memory.locked = true
    let held = true
    return {
      release: async () => {
        if (held) memory.locked = false
        held = false
      },
    }
  }

  async removeUnfinished(): Promise<void> {
    this.#memory.unfinished.clear()
  }

  async put(name: string, content: Uint8Array): Promise<void> {
    assertObjectName(name)
    this.#memory.objects.set(name, Buffer.from(content))
  }

  async putNew(name: string, content: Uint8Array): Promise<boolean> {
    assertObjectName(name)
    if (this.#memory.objects.has(name)) return false
    this.#memory.objects.set(name, Buffer.from(content))
    return true
  }

  async create(name: string): Promise<ObjectWriter> {
    assertObjectName(name)
    const { objects, unfinished } = this.#memory
    const pieces: Buffer[] = []
    unfinished.add(pieces)
    const assertOpen = () => {
      if (!unfinished.has(pieces)) throw new VaultFailure('closed', 'the object is no longer being written')
    }
    return {
      write: async (more) => {
        assertOpen()
        for (const piece of more) pieces.push(Buffer.from(piece))
      },
      commit: async () => {
        assertOpen()
        objects.set(name, Buffer.concat(pieces))
        unfinished.delete(pieces)
      },
      abort: async () => {
        unfinished.delete(pieces)
      },
    }
  }

  async sizeBytes(name: string): Promise<number | undefined> {
    assertObjectName(name)
    return this.#memory.objects.get(name)?.length
  }

  async read(name: string, offsetBytes: number, into: Uint8Array): Promise<void> {
    assertObjectName(name)
    const content = this.#memory.objects.get(name)
    if (!content) throw new ObjectMissing(name, this.description)
    if (content.length < offsetBytes + into.length) {
      throw new VaultFailure('damaged', `${name} is too short`)
    }
    into.set(content.subarray(offsetBytes, offsetBytes + into.length))
  }

  async list(prefix: string): Promise<string[]> {
    assertPrefix(prefix)
    return [...this.#memory.objects.keys()].filter((name) => name.startsWith(prefix))
  }

  async delete(name: string): Promise<void> {
    assertObjectName(name)
    this.#memory.objects.delete(name)
  }
}
