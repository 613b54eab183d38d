import { VaultFailure } from '../failure.ts'
import type { ObjectWriter, StorageBackend, StorageLock } from '../storage/backend.ts'

/** What happens to one changing operation: it is done, refused, or done although it is reported as refused. */
export type Fate = 'done' | 'refused' | 'done-but-refused'

/** Every operation that changes the storage, in words, before it happens. */
export type Decide = (operation: string) => Fate

/** Wraps a backend whose changing operations fail when `decide` says so. */
export class FaultyBackend implements StorageBackend {
  readonly #inner: StorageBackend
  readonly #decide: Decide

  constructor(inner: StorageBackend, decide: Decide) {
    this.#inner = inner
    this.#decide = decide
  }

  get description(): string {
    return this.#inner.description
  }

  lock(): Promise<StorageLock> {
    return this.#inner.lock()
  }

  removeUnfinished(): Promise<void> {
    return this.#inner.removeUnfinished()
  }

  put(name: string, content: Uint8Array): Promise<void> {
    return this.#change(`put ${name}`, () => this.#inner.put(name, content))
  }

  async putNew(name: string, content: Uint8Array): Promise<boolean> {
    let stored = false
    await this.#change(`put ${name}`, async () => {
      stored = await this.#inner.putNew(name, content)
    })
    return stored
  }

  async create(name: string): Promise<ObjectWriter> {
    let writer: ObjectWriter | undefined
    await this.#change(`create ${name}`, async () => {
      writer = await this.#inner.create(name)
    })
    if (!writer) throw new VaultFailure('storage', 'not created')
    const created = writer
    return {
      write: (pieces) => this.#change(`write ${name}`, () => created.write(pieces)),
      commit: () => this.#change(`commit ${name}`, () => created.commit()),
      abort: () => created.abort(),
    }
  }

  sizeBytes(name: string): Promise<number | undefined> {
    return this.#inner.sizeBytes(name)
  }

  read(name: string, offsetBytes: number, into: Uint8Array): Promise<void> {
    return this.#inner.read(name, offsetBytes, into)
  }

  list(prefix: string): Promise<string[]> {
    return this.#inner.list(prefix)
  }

  delete(name: string): Promise<void> {
    return this.#change(`delete ${name}`, () => this.#inner.delete(name))
  }

  async #change(operation: string, work: () => Promise<void>): Promise<void> {
    const fate = this.#decide(operation)
    if (fate !== 'refused') await work()
    if (fate !== 'done') throw new VaultFailure('storage', `refused: ${operation}`)
  }
}
