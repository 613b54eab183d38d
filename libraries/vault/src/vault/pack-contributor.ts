/**
 * Writes packs into a vault that another process has open, without its lock:
 *
 *     add ──► current pack ──full or flush──► durable ──offer──► taken up by the process that has the vault
 *
 * Why nothing is lost by that:
 *
 * - A pack has a random name and appears as a whole. Nothing else is written, and nothing deleted.
 * - The process that has the vault counts on a pack only when it has read its table from the storage itself, in one step with the look
 *   whether it is given up (`BackupSession.takePack`). Until then its chunks are missing there, and a commit that needs them fails.
 * - A pack that appears late, since its writer was stopped or cut off, is known to nobody. Whoever loads the domain next finds it like one
 *   that a killed process has left, and the next collection frees what no revision needs.
 */
import { VaultFailure } from '../failure.ts'
import { type DomainKeys, deriveDomainKeys } from '../keys/derive.ts'
import { packsPrefix } from '../object-names.ts'
import { newPackId } from '../pack/pack-format.ts'
import { PackWriter } from '../pack/pack-writer.ts'
import type { StorageBackend } from '../storage/backend.ts'
import { ChunkVerifier } from '../verify/chunk-verifier.ts'
import { assertNamed, idToAdd } from './added-chunk.ts'
import { configurationCopyName, configurationName } from './configuration.ts'
import { KeyRing } from './key-ring.ts'
import { packSizeDefaultBytes, type VaultOptions } from './open-vault.ts'
import { finishingMax } from './pack-store.ts'

/** Tells the process that has the vault of a durable pack. @returns whether it has taken it up */
export type OfferPack = (packId: string) => Promise<boolean>

/** What packs are written with. */
interface ContributorParts {
  readonly backend: StorageBackend
  readonly verifier: ChunkVerifier
  readonly packSizeBytes: number
  readonly nowMs: () => number
  readonly chunkSizeBytes: number
}

/**
 * Reads the keys of a vault that another process may have open. Nothing is locked, and nothing written yet. The backend is for this alone.
 *
 * @throws VaultFailure `not-a-vault`, `wrong-key`, `unsupported-format`, `bad-key-file`, `storage`
 */
export async function openPackContributor({
  backend,
  key,
  packSizeBytes = packSizeDefaultBytes,
  nowMs = Date.now,
}: Omit<VaultOptions, 'unusedIndexMaxBytes'>): Promise<PackContributor> {
  const keyRing = await KeyRing.open(backend, key, nowMs, false)
  backend.relyOn?.([configurationName, configurationCopyName])
  return new PackContributor(keyRing, { backend, packSizeBytes, nowMs })
}

/** Writes packs of any number of domains. */
export class PackContributor {
  readonly #keyRing: KeyRing
  readonly #parts: ContributorParts

  constructor(keyRing: KeyRing, parts: Pick<ContributorParts, 'backend' | 'packSizeBytes' | 'nowMs'>) {
    const { chunkSizeBytes } = keyRing.configuration
    this.#keyRing = keyRing
    this.#parts = { ...parts, chunkSizeBytes, verifier: new ChunkVerifier() }
  }

  get vaultId(): string {
    return this.#keyRing.configuration.id
  }

  get chunkSizeBytes(): number {
    return this.#parts.chunkSizeBytes
  }

  /** Begins to write what belongs to one backup of a domain. */
  contribute(domain: string, offer: OfferPack): Contribution {
    return new Contribution(this.#parts, deriveDomainKeys(this.#keyRing.masterKey, domain), offer)
  }

  /** To be called when all contributions were flushed or given up. */
  close(): Promise<void> {
    return this.#parts.verifier.close()
  }
}

/** A pack that is being written, and the chunks in it. */
interface OpenPack {
  readonly writer: PackWriter
  readonly names: string[]
}

/** The packs that are written for one backup. At most one is being filled, and two are on their way. */
export class Contribution {
  readonly #parts: ContributorParts
  readonly #keys: DomainKeys
  readonly #offer: OfferPack
  #current: OpenPack | undefined
  readonly #finishing = new Set<Promise<void>>()
  /** Of the chunks in packs that are not taken up yet: their ids as text. */
  readonly #names = new Set<string>()
  #givenUp = false

  constructor(parts: ContributorParts, keys: DomainKeys, offer: OfferPack) {
    this.#parts = parts
    this.#keys = keys
    this.#offer = offer
  }

  /**
   * Verifies a sealed chunk as `BackupSession.add` does, and puts it into a pack. Resolves when `sealed` may be reused: whoever waits for
   * that before sending more keeps the memory bounded. Stored it is only after `flush`.
   *
   * @throws VaultFailure `damaged` when the bytes are not the sealed chunk of this id, `storage` when they cannot be written
   */
  async add(id: Uint8Array, sealed: Uint8Array): Promise<void> {
    this.#assertOpen()
    const { chunkSizeBytes, verifier } = this.#parts
    const ids = idToAdd(id, sealed, chunkSizeBytes)
    const name = ids.id(0).toString('latin1')
    if (this.#names.has(name)) return
    await assertNamed({ verifier, keys: this.#keys, chunkSizeBytes }, ids, sealed)
    while (this.#isCurrentFull() && this.#finishing.size >= finishingMax) {
      await Promise.race(this.#finishing).catch(() => undefined)
    }
    this.#assertOpen()
    if (this.#names.has(name)) return
    if (this.#isCurrentFull()) this.#finishCurrent()
    this.#current ??= this.#begin()
    const pack = this.#current
    pack.names.push(name)
    this.#names.add(name)
    await this.#forgetOnFailure(pack, pack.writer.append(ids.id(0), sealed).written)
  }

  /**
   * Has everything added so far taken up by the process that has the vault.
   *
   * @throws VaultFailure `storage` when a pack could not be written, `chunk-missing` when one was not taken up, or what the offer fails with
   */
  async flush(): Promise<void> {
    this.#finishCurrent()
    await Promise.all(this.#finishing)
  }

  /** Takes nothing more, and leaves out what is not durable yet. */
  async giveUp(): Promise<void> {
    this.#givenUp = true
    const current = this.#current
    this.#current = undefined
    await current?.writer.abort()
    await Promise.allSettled(this.#finishing)
  }

  #begin(): OpenPack {
    const { backend, nowMs } = this.#parts
    const packId = newPackId()
    const identity = { packId, domainTag: this.#keys.tag, tablesKey: this.#keys.tables }
    const opening = backend.create(packsPrefix(this.#keys.tag) + packId)
    return { writer: new PackWriter(identity, nowMs(), opening), names: [] }
  }

  #isCurrentFull(): boolean {
    return this.#current !== undefined && this.#current.writer.sizeBytes >= this.#parts.packSizeBytes
  }

  #finishCurrent(): void {
    const pack = this.#current
    if (!pack) return
    this.#current = undefined
    const finishing = this.#forgetOnFailure(pack, this.#finish(pack)).finally(() =>
      this.#finishing.delete(finishing),
    )
    this.#finishing.add(finishing)
    // A failure is seen by those who flush, and by those who commit because the chunks are missing.
    finishing.catch(() => undefined)
  }

  async #finish({ writer, names }: OpenPack): Promise<void> {
    await writer.finish()
    if (this.#givenUp || !(await this.#offer(writer.identity.packId))) {
      throw new VaultFailure('chunk-missing', 'a pack was not taken up by the process that has the vault')
    }
    // From here on it is said to be there.
    for (const name of names) this.#names.delete(name)
  }

  /** A pack that cannot be written or is not taken up takes all its chunks along. */
  async #forgetOnFailure(pack: OpenPack, work: Promise<void>): Promise<void> {
    try {
      await work
    } catch (error) {
      if (this.#current === pack) this.#current = undefined
      for (const name of pack.names.splice(0)) this.#names.delete(name)
      await pack.writer.abort().catch(() => undefined)
      throw error
    }
  }

  #assertOpen(): void {
    if (this.#givenUp) throw new VaultFailure('closed', 'what was written for this backup was given up')
  }
}
