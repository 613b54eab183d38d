import { VaultFailure } from '../failure.ts'
import type { ObjectWriter, StorageBackend } from '../storage/backend.ts'
import { FaultyBackend } from './faulty-backend.ts'

/** A storage that holds so many bytes and refuses more, as a full disk or a quota does. */
export class LimitedBackend extends FaultyBackend {
  /** May be changed at any time. */
  limitBytes: number
  readonly #inner: StorageBackend
  readonly #sizes = new Map<string, number>()
  #unfinishedBytes = 0

  constructor(inner: StorageBackend, limitBytes: number) {
    super(inner, () => 'done')
    this.#inner = inner
    this.limitBytes = limitBytes
  }

  get usedBytes(): number {
    return [...this.#sizes.values()].reduce((sum, size) => sum + size, this.#unfinishedBytes)
  }

  override async put(name: string, content: Uint8Array): Promise<void> {
    this.#assertRoom(content.length)
    await this.#inner.put(name, content)
    this.#sizes.set(name, content.length)
  }

  override async putNew(name: string, content: Uint8Array): Promise<boolean> {
    this.#assertRoom(content.length)
    const stored = await this.#inner.putNew(name, content)
    if (stored) this.#sizes.set(name, content.length)
    return stored
  }

  override async create(name: string): Promise<ObjectWriter> {
    const writer = await this.#inner.create(name)
    let written = 0
    const settle = () => {
      this.#unfinishedBytes -= written
      const size = written
      written = 0
      return size
    }
    return {
      write: async (pieces) => {
        const bytes = pieces.reduce((sum, piece) => sum + piece.length, 0)
        this.#assertRoom(bytes)
        await writer.write(pieces)
        written += bytes
        this.#unfinishedBytes += bytes
      },
      commit: async () => {
        await writer.commit()
        this.#sizes.set(name, settle())
      },
      abort: async () => {
        await writer.abort()
        settle()
      },
    }
  }

  override async delete(name: string): Promise<void> {
    await this.#inner.delete(name)
    this.#sizes.delete(name)
  }

  #assertRoom(bytes: number): void {
    if (this.usedBytes + bytes > this.limitBytes) throw new VaultFailure('storage', 'no space left')
  }
}
