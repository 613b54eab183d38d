import type { ChunkList } from '../chunk/chunk-list.ts'
import { VaultFailure } from '../failure.ts'
import { type ChunkKeys, deriveChunkKeys, type VerificationKeys } from '../keys/derive.ts'
import type { KeySource } from '../keys/master-key.ts'
import { baseName, domainsPrefix, revisionsPrefix, tagOfDomainNameObject } from '../object-names.ts'
import { assertRevisionId, type RevisionHead } from '../revision/revision-head.ts'
import { listRevisions, readRevision } from '../revision/revision-store.ts'
import type { StorageLock } from '../storage/backend.ts'
import { BackupSession } from './backup-session.ts'
import { type CheckOptions, checkDomain } from './check.ts'
import { ChunkReader } from './chunk-reader.ts'
import { type CollectOptions, type CollectReport, collectDomain } from './collect.ts'
import { readDomainName, recordDomainName } from './domain-name.ts'
import type { Finding } from './finding.ts'
import type { KeyDescription } from './key-ring.ts'
import { findMissingPacks } from './load-packs.ts'
import { type DomainParts, OpenDomains } from './open-domains.ts'
import { type RepairOptions, type RepairReport, repairDomain } from './repair.ts'
import { RevisionReader } from './revision-reader.ts'
import { damagedConfiguration, namelessDomain, sortObjects } from './sort-objects.ts'

/** What an open vault is made of, with the lock that it releases when it closes. */
export interface VaultParts extends DomainParts {
  readonly lock: StorageLock
}

/** What a domain occupies. */
export interface DomainUsage {
  readonly packs: number
  readonly chunks: number
  /** Size of the packs, which nearly all of a vault is. */
  readonly storedBytes: number
}

/**
 * An open vault: sealed chunks and revisions of any number of domains. Domains share nothing. What a domain has stored is
 * looked up when the domain is used, and remembered, about 60 bytes a chunk, until others need the memory.
 */
export class Vault {
  readonly #parts: VaultParts
  readonly #domains: OpenDomains
  #maintenance: Promise<unknown> = Promise.resolve()
  /** Aborted when the vault is closed, which ends collections, checks and repairs. */
  readonly #closing = new AbortController()

  constructor(parts: VaultParts) {
    this.#parts = parts
    this.#domains = new OpenDomains(parts, this.#closing.signal)
  }

  get id(): string {
    return this.#parts.keyRing.configuration.id
  }

  get chunkSizeBytes(): number {
    return this.#parts.keyRing.configuration.chunkSizeBytes
  }

  /** Which of the two objects with the vault's keys were missing or damaged, and have been written anew since it was opened. */
  get healed(): readonly string[] {
    return this.#parts.keyRing.healed
  }

  /** The keys an agent needs for the chunks of its domain. They are secret, and good for this domain only. */
  chunkKeys(domain: string): ChunkKeys {
    return deriveChunkKeys(this.#parts.keyRing.masterKey, domain)
  }

  /** What proves that sealed chunks of a domain are what they were; see `verifyChunk`. */
  verificationKeys(domain: string): VerificationKeys {
    const { chunks, marking } = this.#domains.keysOf(domain)
    return { chunks, marking }
  }

  /** The keys that open the vault, without anything secret. */
  keys(): KeyDescription[] {
    return this.#parts.keyRing.list()
  }

  /**
   * Which of {@link keys} a key file or passphrase is; undefined when it opens nothing.
   *
   * @throws VaultFailure `bad-key-file`, `invalid-argument`
   */
  findKey(key: KeySource): Promise<KeyDescription | undefined> {
    return this.#parts.keyRing.find(key)
  }

  /**
   * Lets another key file or passphrase open the vault too. Nothing of the data changes.
   *
   * @throws VaultFailure `invalid-argument` (too many keys, empty passphrase), `bad-key-file`, `storage`
   */
  addKey(key: KeySource, label = ''): Promise<KeyDescription> {
    return this.#parts.keyRing.add(key, label)
  }

  /**
   * Takes a key away. Whoever had it could have kept the vault's own key, or an older copy of the storage: to shut such a person
   * out, make a new vault.
   *
   * @throws VaultFailure `invalid-argument` when there is no such key or it is the last one, `storage`
   */
  removeKey(id: string): Promise<void> {
    return this.#parts.keyRing.remove(id)
  }

  /**
   * Puts a key in the place of another, in one step: a change of the passphrase. Either may be a key file or a passphrase.
   *
   * @throws VaultFailure `wrong-key` when `former` is none of the vault's, `invalid-argument`, `bad-key-file`, `storage`
   */
  replaceKey(former: KeySource, key: KeySource): Promise<KeyDescription> {
    return this.#parts.keyRing.replace(former, key)
  }

  /** Begins a backup; end the session with `commitRevision` or `abort`. */
  beginBackup(domain: string): Promise<BackupSession> {
    const { backend, keyRing, nowMs } = this.#parts
    return this.#domains.enter(
      domain,
      (opened) => new BackupSession(opened, nowMs),
      (opened) => recordDomainName(backend, keyRing.masterKey, opened),
    )
  }

  /**
   * The heads of all revisions of a domain, oldest first. Reads every head: keep the result where it is needed often.
   * With `onDamaged` revisions that cannot be read are told there and left out.
   *
   * @throws VaultFailure `damaged` or `unsupported-format` when one cannot be read and there is no `onDamaged`
   */
  async revisions(
    domain: string,
    onDamaged?: (revision: string, failure: VaultFailure) => void,
  ): Promise<RevisionHead[]> {
    return listRevisions(this.#parts.backend, this.#domains.keysOf(domain), onDamaged)
  }

  /** The ids of all revisions of a domain, those included that cannot be read. Costs a listing and reads nothing. */
  async revisionIds(domain: string): Promise<Set<string>> {
    return new Set((await this.#parts.backend.list(this.#revisionsOf(domain))).map(baseName))
  }

  /**
   * Opens a revision for reading; `close` it afterwards.
   *
   * @throws VaultFailure `revision-missing`, `damaged`
   */
  async openRevision(domain: string, revision: string): Promise<RevisionReader> {
    const { head, chunks } = await readRevision(this.#parts.backend, this.#domains.keysOf(domain), revision)
    const reader = await this.#domains.enter(domain, (opened) => new RevisionReader(opened, head, chunks))
    // From here on the reader protects its chunks. Had the revision been deleted before, they might be gone.
    if (await this.#hasRevision(domain, revision)) return reader
    reader.close()
    throw missingRevision(revision)
  }

  /**
   * Makes a revision invisible at once and for good. The space of its chunks is freed by `collect`.
   *
   * @throws VaultFailure `revision-missing`; it was deleted nevertheless, should the storage have it
   */
  async deleteRevision(domain: string, revision: string): Promise<void> {
    const isThere = await this.#hasRevision(domain, revision)
    await this.#domains
      .rememberedOf(domain)
      .deleteBy(revision, () => this.#parts.backend.delete(this.#revisionsOf(domain) + revision))
    if (!isThere) throw missingRevision(revision)
  }

  /** Opens any durable chunks of a domain for reading, apart from a revision; `close` it afterwards. */
  openChunks(domain: string, ids: ChunkList): Promise<ChunkReader> {
    return this.#domains.enter(domain, (opened) => new ChunkReader(opened, ids))
  }

  /** What a domain occupies at present, chunks included that no revision needs any more. */
  usage(domain: string): Promise<DomainUsage> {
    return this.#domains.enter(domain, ({ store }) => store.usage())
  }

  /** Names of all domains that a backup was ever begun for. */
  async domains(): Promise<string[]> {
    const names: string[] = []
    for (const object of await this.#parts.backend.list(domainsPrefix)) {
      const tag = tagOfDomainNameObject(object)
      const name = tag === undefined ? undefined : await this.#nameOf(tag)
      if (name !== undefined) names.push(name)
    }
    return names
  }

  /**
   * Frees the space of chunks that no revision needs, beside running backups and restores: of one domain, or of all. Nothing
   * of a domain is removed while one of its revisions cannot be read; the report names it.
   *
   * @throws VaultFailure `storage`; when it is only that nothing can be written, all domains have been gone through before
   */
  collect(options: CollectOptions & { readonly domain?: string } = {}): Promise<CollectReport> {
    const counts = { packsDeleted: 0, packsWritten: 0, bytesFreed: 0, packsDamaged: 0 }
    const lists = { revisionsUnread: [], revisionsIncomplete: [], packsMissing: [] }
    const total: CollectReport = { ...counts, ...lists }
    return this.#alone(options.signal, async (signal) => {
      let refusal: VaultFailure | undefined
      for (const name of await this.#chosen(options.domain)) {
        const collected = this.#domains.use(name, (domain) =>
          collectDomain(domain, { ...options, signal }, total),
        )
        refusal = (await collected) ?? refusal
      }
      if (refusal) throw refusal
      return total
    })
  }

  /**
   * The packs of a domain that segments of its index name and that are not in the storage. A collection that was interrupted
   * leaves such names too: whether a revision needs one `check` says. Costs a listing and the reading of the segments.
   */
  missingPacks(domain: string): Promise<string[]> {
    return findMissingPacks(this.#parts.backend, this.#domains.keysOf(domain))
  }

  /**
   * Looks for damage, beside running backups and restores: whether all objects are as they were written and every chunk
   * of every revision is there; with `readData` also every chunk, or a sample, decrypted, decompressed and named anew. Of
   * chunks that are sealed end to end only the mark is compared: nobody here can open them. With `domain` only its objects
   * are looked at.
   *
   * @throws VaultFailure `invalid-argument` for a sample that is none
   */
  check(options: CheckOptions & { readonly domain?: string } = {}): Promise<Finding[]> {
    return this.#alone(options.signal, async (signal) => {
      const checked = (name: string) =>
        this.#domains.use(name, (domain) => checkDomain(domain, { ...options, signal }))
      if (options.domain !== undefined) return checked(options.domain)
      const { tags, findings } = sortObjects(await this.#parts.backend.list(''))
      for (const name of await this.#parts.keyRing.damaged()) findings.push(damagedConfiguration(name))
      for (const tag of tags) {
        const name = await this.#nameOf(tag)
        if (name === undefined) findings.push(namelessDomain(tag))
        else findings.push(...(await checked(name)))
      }
      return findings
    })
  }

  /**
   * Puts right what `check` finds, as far as that is possible (see repair.ts): of one domain, or of all. Backups and
   * restores that begin meanwhile wait.
   *
   * @throws VaultFailure `busy` when a backup or restore of such a domain is under way
   */
  repair(options: RepairOptions & { readonly domain?: string } = {}): Promise<RepairReport> {
    const counts = { packsReplaced: 0, packsUnread: 0, chunksSaved: 0, chunksLost: 0 }
    const total: RepairReport = { ...counts, configurationHealed: [], revisions: [] }
    return this.#alone(options.signal, async (signal) => {
      await this.#parts.keyRing.heal()
      total.configurationHealed.push(...this.healed)
      for (const name of await this.#chosen(options.domain)) {
        await this.#domains.use(name, async (domain) => {
          domain.assertIdle()
          const repaired = repairDomain(domain, { ...options, signal }, total)
          // Until it is repaired everybody waits; should that fail, everybody goes on with what the storage then holds.
          this.#domains.replace(name, repaired)
          await repaired
        })
      }
      return total
    })
  }

  /** What the storage lacks that the vault can be without, each as the end of "the storage …". */
  get weaknessesOfStorage(): readonly string[] {
    return this.#parts.lock.weaknesses ?? []
  }

  /** False while the storage has not confirmed for too long that this process has the vault: nothing can be written then. */
  get isHeld(): boolean {
    return this.#parts.lock.isHeld ?? true
  }

  /** Whether another process waits for the vault, as far as that is known. */
  get isAsked(): boolean {
    return this.#parts.lock.isAsked ?? false
  }

  /** Ends all sessions, readers, collections and checks, makes what was added durable, and lets others open the vault. */
  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return
    this.#closing.abort(new VaultFailure('closed', 'the vault is closed'))
    try {
      await this.#maintenance
      await this.#domains.close()
    } finally {
      await this.#parts.lock.release()
    }
  }

  #nameOf(tag: string): Promise<string | undefined> {
    return readDomainName(this.#parts.backend, this.#parts.keyRing.masterKey, tag)
  }

  async #hasRevision(domain: string, revision: string): Promise<boolean> {
    assertRevisionId(revision)
    return (await this.#parts.backend.sizeBytes(this.#revisionsOf(domain) + revision)) !== undefined
  }

  /** What the names of a domain's revisions begin with in the storage. */
  #revisionsOf(domain: string): string {
    return revisionsPrefix(this.#domains.keysOf(domain).tag)
  }

  async #chosen(domain: string | undefined): Promise<string[]> {
    return domain === undefined ? this.domains() : [domain]
  }

  /** Collections, checks and repairs run one after the other, until they are told to end or the vault is closed. */
  #alone<Result>(
    wish: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const signal = AbortSignal.any([this.#closing.signal, ...(wish ? [wish] : [])])
    const done = this.#maintenance.then(() => {
      signal.throwIfAborted()
      return work(signal)
    })
    // Its caller hears of a failure; those after it are not concerned.
    this.#maintenance = done.catch(() => undefined)
    return done
  }
}

function missingRevision(revision: string): VaultFailure {
  return new VaultFailure('revision-missing', `there is no revision ${revision}`)
}
