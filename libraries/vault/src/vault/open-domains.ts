import { type DomainKeys, deriveDomainKeys } from '../keys/derive.ts'
import type { StorageBackend } from '../storage/backend.ts'
import { ChunkVerifier } from '../verify/chunk-verifier.ts'
import { Domain } from './domain.ts'
import type { KeyRing } from './key-ring.ts'
import { loadPacks } from './load-packs.ts'
import { RememberedRevisions } from './remembered-revisions.ts'

/** What the domains of a vault have in common. */
export interface DomainParts {
  readonly backend: StorageBackend
  readonly keyRing: KeyRing
  readonly packSizeBytes: number
  /** How much memory the indexes of domains may take that nobody uses. */
  readonly unusedIndexMaxBytes: number
  readonly nowMs: () => number
}

/** A domain that is loaded, or being loaded. */
interface OpenDomain {
  opening: Promise<Domain>
  /** From when it is loaded. */
  domain: Domain | undefined
  /** How many do something with it, besides its sessions and readers. */
  users: number
}

/**
 * The domains of an open vault. Each is loaded when it is used, and remembered; when those that nobody uses take too much memory, the
 * ones are unloaded that were used least recently.
 */
export class OpenDomains {
  readonly #parts: DomainParts
  readonly #closing: AbortSignal
  /** The least recently used first. */
  readonly #opened = new Map<string, OpenDomain>()
  /** Each is loaded again only when this has ended. */
  readonly #unloading = new Map<string, Promise<void>>()
  readonly #remembered = new Map<string, RememberedRevisions>()
  /** The packs of domains when they were unloaded: a storage that has lost one since does not make it forgotten. */
  readonly #expectedPacks = new Map<string, readonly string[]>()
  readonly #verifier = new ChunkVerifier()

  /** @param closing from when it is aborted no domain is used any more */
  constructor(parts: DomainParts, closing: AbortSignal) {
    this.#parts = parts
    this.#closing = closing
  }

  keysOf(name: string): DomainKeys {
    return deriveDomainKeys(this.#parts.keyRing.masterKey, name)
  }

  /** Also of a domain that was not loaded. */
  rememberedOf(name: string): RememberedRevisions {
    const remembered = this.#remembered.get(name) ?? new RememberedRevisions()
    this.#remembered.set(name, remembered)
    return remembered
  }

  /** Does something with a domain that takes its time. Meanwhile it is not unloaded. */
  async use<Result>(name: string, work: (domain: Domain) => Promise<Result>): Promise<Result> {
    const opened = this.#open(name)
    opened.users++
    try {
      return await work(await opened.opening)
    } finally {
      opened.users--
      this.#unloadUnused()
    }
  }

  /**
   * Does something with a domain in one step of the event loop, so that nothing comes between. `before` is done before the
   * first use that asks for it.
   */
  async enter<Result>(
    name: string,
    use: (domain: Domain) => Result,
    before?: (domain: Domain) => Promise<void>,
  ): Promise<Result> {
    for (;;) {
      const opened = this.#open(name)
      const { opening } = opened
      opened.users++
      try {
        const domain = await opening
        if (before) await domain.begin(before)
        // A repair may have replaced the domain meanwhile.
        if (this.#opened.get(name)?.opening === opening) return use(domain)
      } finally {
        opened.users--
        this.#unloadUnused()
      }
    }
  }

  /** From now on everybody who wants the domain, which is in use, waits for this one. Should it fail, the domain is loaded anew. */
  replace(name: string, opening: Promise<Domain>): void {
    const opened = this.#opened.get(name)
    if (!opened) throw new Error(`nobody uses ${name}`)
    opened.opening = opening
    this.#awaitOpening(name, opened)
  }

  /** Ends the sessions and readers of all domains, and makes durable what they have added. */
  async close(): Promise<void> {
    await this.#verifier.close()
    for (const { opening } of this.#opened.values()) await (await opening).close()
    await Promise.all(this.#unloading.values())
  }

  #open(name: string): OpenDomain {
    this.#closing.throwIfAborted()
    const opened = this.#opened.get(name)
    if (opened !== undefined) {
      this.#noteUse(name, opened)
      return opened
    }
    const loading = { opening: this.#load(name), domain: undefined, users: 0 }
    this.#opened.set(name, loading)
    this.#awaitOpening(name, loading)
    return loading
  }

  #awaitOpening(name: string, opened: OpenDomain): void {
    const { opening } = opened
    opening.then(
      (domain) => {
        opened.domain = domain
      },
      () => {
        if (this.#opened.get(name)?.opening === opening) this.#opened.delete(name)
      },
    )
  }

  #noteUse(name: string, opened: OpenDomain): void {
    this.#opened.delete(name)
    this.#opened.set(name, opened)
  }

  async #load(name: string): Promise<Domain> {
    await this.#unloading.get(name)
    const { backend, keyRing, packSizeBytes, nowMs } = this.#parts
    const keys = this.keysOf(name)
    const expected = this.#expectedPacks.get(name)
    const store = await loadPacks({ backend, keys, packSizeBytes, nowMs }, expected)
    const { chunkSizeBytes } = keyRing.configuration
    const [verifier, remembered] = [this.#verifier, this.rememberedOf(name)]
    const onUnused = (domain: Domain) => this.#endUse(name, domain)
    return new Domain({ name, keys, store, chunkSizeBytes, verifier, remembered, onUnused })
  }

  #endUse(name: string, domain: Domain): void {
    const opened = this.#opened.get(name)
    if (opened?.domain !== domain) return
    this.#noteUse(name, opened)
    this.#unloadUnused()
  }

  #unloadUnused(): void {
    if (this.#closing.aborted) return
    const unused: [name: string, domain: Domain][] = []
    for (const [name, { domain, users }] of this.#opened) {
      if (domain && users === 0 && !domain.isInUse && !domain.store.hasDoubts) unused.push([name, domain])
    }
    let bytes = unused.reduce((sum, [, { store }]) => sum + store.index.memoryBytes, 0)
    for (const [name, domain] of unused) {
      if (bytes <= this.#parts.unusedIndexMaxBytes) return
      bytes -= domain.store.index.memoryBytes
      this.#opened.delete(name)
      // What cannot be stored now is of backups that were aborted, and an index that only saves reading.
      const unloading = domain.close().catch(() => undefined)
      const unloaded = unloading.finally(() => {
        this.#expectedPacks.set(name, domain.store.durableIds())
        this.#unloading.delete(name)
      })
      this.#unloading.set(name, unloaded)
    }
  }
}
