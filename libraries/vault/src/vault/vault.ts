import { VaultFailure } from '../failure.ts'
import { type ChunkKeys, deriveChunkKeys, deriveDomainKeys } from '../keys/derive.ts'
import { domainsPrefix, revisionsPrefix, tagOfDomainNameObject } from '../object-names.ts'
import { assertRevisionId, type RevisionHead } from '../revision/revision-head.ts'
import { listRevisions, readRevision } from '../revision/revision-store.ts'
import type { StorageBackend, StorageLock } from '../storage/backend.ts'
import { BackupSession } from './backup-session.ts'
import type { VaultConfiguration } from './configuration.ts'
import { Domain } from './domain.ts'
import { readDomainName, recordDomainName } from './domain-name.ts'
import { loadPacks } from './load-packs.ts'
import { RevisionReader } from './revision-reader.ts'

export interface VaultParts {
  readonly backend: StorageBackend
  readonly lock: StorageLock
  readonly configuration: VaultConfiguration
  readonly masterKey: Uint8Array
  readonly packSizeBytes: number
  readonly nowMs: () => number
}

/**
 * An open vault: sealed chunks and revisions of any number of domains. Domains do not share anything. What a domain
 * has stored is looked up when the domain is first used.
 */
export class Vault {
  readonly #parts: VaultParts
  readonly #domains = new Map<string, Promise<Domain>>()
  #closed = false

  constructor(parts: VaultParts) {
    this.#parts = parts
  }

  get id(): string {
    return this.#parts.configuration.id
  }

  get chunkSizeBytes(): number {
    return this.#parts.configuration.chunkSizeBytes
  }

  /** The keys an agent needs for the chunks of its domain. They are secret, and good for this domain only. */
  chunkKeys(domain: string): ChunkKeys {
    return deriveChunkKeys(this.#parts.masterKey, domain)
  }

  /** Begins a backup; the session must be ended by `commitRevision` or `abort`. */
  async beginBackup(domain: string): Promise<BackupSession> {
    return new BackupSession(await this.#domain(domain, 'writing'), this.#parts.nowMs)
  }

  /** The heads of all revisions of a domain, oldest first. Reads every head: keep the result where it is needed often. */
  async revisions(domain: string): Promise<RevisionHead[]> {
    const { keys } = await this.#domain(domain, 'reading')
    return listRevisions(this.#parts.backend, keys)
  }

  /**
   * Opens a revision for reading; `close` it afterwards.
   *
   * @throws VaultFailure `revision-missing`, `damaged`
   */
  async openRevision(domain: string, revision: string): Promise<RevisionReader> {
    const opened = await this.#domain(domain, 'reading')
    const { head, chunks } = await readRevision(this.#parts.backend, opened.keys, revision)
    const reader = new RevisionReader(opened, head, chunks)
    // From here on the reader protects its chunks; a deletion before this moment has to be noticed.
    const name = revisionsPrefix(opened.keys.tag) + revision
    if ((await this.#parts.backend.sizeBytes(name)) !== undefined) return reader
    reader.close()
    throw new VaultFailure('revision-missing', `revision ${revision} was deleted`)
  }

  /**
   * Makes a revision invisible at once and for good. The space of its chunks is freed by `collect`.
   *
   * @throws VaultFailure `revision-missing`
   */
  async deleteRevision(domain: string, revision: string): Promise<void> {
    assertRevisionId(revision)
    const { keys } = await this.#domain(domain, 'reading')
    const name = revisionsPrefix(keys.tag) + revision
    if ((await this.#parts.backend.sizeBytes(name)) === undefined) {
      throw new VaultFailure('revision-missing', `there is no revision ${revision}`)
    }
    await this.#parts.backend.delete(name)
  }

  /** Names of all domains that something was ever stored for. */
  async domains(): Promise<string[]> {
    const names: string[] = []
    for (const name of await this.#parts.backend.list(domainsPrefix)) {
      const tag = tagOfDomainNameObject(name)
      if (tag !== undefined) names.push(await readDomainName(this.#parts.backend, this.#parts.masterKey, tag))
    }
    return names
  }

  async #domain(name: string, use: 'reading' | 'writing'): Promise<Domain> {
    if (this.#closed) throw new VaultFailure('closed', 'the vault is closed')
    const known = this.#domains.get(name)
    const opening = known ?? this.#openDomain(name)
    if (!known) {
      this.#domains.set(name, opening)
      opening.catch(() => this.#domains.delete(name))
    }
    const domain = await opening
    if (use === 'writing') await this.#recordOnce(domain)
    return domain
  }

  async #openDomain(name: string): Promise<Domain> {
    const { backend, masterKey, packSizeBytes, nowMs } = this.#parts
    const keys = deriveDomainKeys(masterKey, name)
    const store = await loadPacks({ backend, keys, packSizeBytes, nowMs })
    return new Domain(name, keys, store, this.chunkSizeBytes)
  }

  /** The first backup of a domain writes down its name, so that `domains` finds it. */
  #recordOnce(domain: Domain): Promise<void> {
    domain.recorded ??= recordDomainName(this.#parts.backend, this.#parts.masterKey, domain).catch(
      (error: unknown) => {
        domain.recorded = undefined
        throw error
      },
    )
    return domain.recorded
  }

  /** Makes what was added durable, ends all sessions and readers, and lets others open the vault. */
  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    try {
      for (const opening of this.#domains.values()) {
        const domain = await opening
        for (const reader of domain.readers) reader.close()
        for (const session of domain.sessions) await session.abort()
        await domain.store.flush()
        await domain.store.segments.cover(1)
      }
    } finally {
      await this.#parts.lock.release()
    }
  }
}
