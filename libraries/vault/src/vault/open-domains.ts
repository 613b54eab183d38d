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
  readonly nowMs: () => number
}

/** The domains of an open vault: each is loaded when it is first used, and remembered. */
export class OpenDomains {
  readonly #parts: DomainParts
  readonly #closing: AbortSignal
  readonly #opened = new Map<string, Promise<Domain>>()
  readonly #remembered = new Map<string, RememberedRevisions>()
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

  get(name: string): Promise<Domain> {
    this.#closing.throwIfAborted()
    return this.#opened.get(name) ?? this.replace(name, this.#load(name))
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
      const opening = this.get(name)
      const domain = await opening
      if (before) await domain.begin(before)
      // A repair may have replaced the domain meanwhile.
      if (this.#opened.get(name) === opening) return use(domain)
    }
  }

  /** From now on everybody who wants the domain waits for this one. Should it fail, the domain is loaded anew. */
  replace(name: string, opening: Promise<Domain>): Promise<Domain> {
    this.#opened.set(name, opening)
    opening.catch(() => this.#opened.delete(name))
    return opening
  }

  /** Ends the sessions and readers of all domains, and makes durable what they have added. */
  async close(): Promise<void> {
    await this.#verifier.close()
    for (const opening of this.#opened.values()) await (await opening).close()
  }

  async #load(name: string): Promise<Domain> {
    const { backend, keyRing, packSizeBytes, nowMs } = this.#parts
    const keys = this.keysOf(name)
    const store = await loadPacks({ backend, keys, packSizeBytes, nowMs })
    const { chunkSizeBytes } = keyRing.configuration
    return new Domain(name, keys, store, chunkSizeBytes, this.#verifier, this.rememberedOf(name))
  }
}
