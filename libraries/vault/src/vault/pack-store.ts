/**
 * The packs of one domain and the index over them.
 *
 *     add ──► current pack ──full or flush──► finishing ──► durable ──collect──► retired
 *                  └──────── write failed ────────┴──────────────────────────────► retired
 *
 * A chunk is in the index from the moment it has a place, so the same chunk is never written twice at the same time. A
 * retired pack's entries stay in the index but count as absent.
 */
import { ChunkList } from '../chunk/chunk-list.ts'
import { ChunkIndex, type Place } from '../chunk-index/chunk-index.ts'
import { isVaultFailure, VaultFailure } from '../failure.ts'
import type { DomainKeys } from '../keys/derive.ts'
import { baseName, packsPrefix } from '../object-names.ts'
import { newPackId, type PackIdentity, type PackTable } from '../pack/pack-format.ts'
import { PackWriter } from '../pack/pack-writer.ts'
import { readPackTable } from '../pack/read-pack-table.ts'
import type { StorageBackend } from '../storage/backend.ts'
import { PlannedDeletions } from './planned-deletions.ts'
import { SegmentKeeper } from './segment-keeper.ts'

/** What is in memory of one pack. */
export interface Pack {
  readonly packId: string
  readonly createdMs: number
  sizeBytes: number
  state: 'writing' | 'durable' | 'retired'
  /** Whether an index segment holds its table. */
  inSegment: boolean
  /** Whether a former holder of the vault may be deleting it: no new revision relies on it. */
  isGoing: boolean
}

/** The storage and keys of one domain's packs. */
export interface PackStoreSettings {
  readonly backend: StorageBackend
  readonly keys: DomainKeys
  /** A pack that has reached this size is finished. */
  readonly packSizeBytes: number
  readonly nowMs: () => number
}

/** How many full packs may be on their way to the disk while the next one is being filled. */
export const finishingMax = 2
/** Opening a vault reads at most so many pack tables of a domain. */
const packsPerSegment = 32

/** The packs of one domain: appends chunks to the pack that is being written, and finds chunks by their ids. */
export class PackStore {
  readonly settings: PackStoreSettings
  readonly packs: Pack[] = []
  readonly segments: SegmentKeeper
  /** Of packs whose deletion may be on its way, also that of a former holder of the vault. */
  readonly deletions: PlannedDeletions
  index = new ChunkIndex()
  /** Entries whose chunks were found damaged: they are not offered to backups, which store them again. */
  readonly #doubted = new Set<number>()
  #current: { readonly number: number; readonly writer: PackWriter } | undefined
  readonly #finishing = new Set<Promise<void>>()
  #closed = false

  constructor(
    settings: PackStoreSettings,
    segmentNames: readonly string[] = [],
    deletions = new PlannedDeletions(settings),
  ) {
    this.settings = settings
    this.deletions = deletions
    this.segments = new SegmentKeeper(this, segmentNames)
  }

  identityOf(packId: string): PackIdentity {
    const { keys } = this.settings
    return { packId, domainTag: keys.tag, tablesKey: keys.tables }
  }

  objectOf(pack: number): string {
    return packsPrefix(this.settings.keys.tag) + (this.packs[pack]?.packId ?? '')
  }

  /** The index entry of a chunk that is stored or on its way, or -1. */
  find(ids: ChunkList, position: number): number {
    const entry = this.index.find(ids, position)
    return entry >= 0 && this.packs[this.index.packOf(entry)]?.state !== 'retired' ? entry : -1
  }

  /** The same for whoever makes a revision: a chunk whose pack a former holder of the vault may be deleting is none. */
  findLasting(ids: ChunkList, position: number): number {
    const entry = this.find(ids, position)
    return entry >= 0 && this.pack(this.index.packOf(entry)).isGoing ? -1 : entry
  }

  /** The same for whoever builds on the chunk: one that was found damaged is none either. */
  findSound(ids: ChunkList, position: number): number {
    const entry = this.findLasting(ids, position)
    return this.#doubted.has(entry) ? -1 : entry
  }

  /** Whether there are chunks that {@link doubt} was told of, which the storage does not know. */
  get hasDoubts(): boolean {
    return this.#doubted.size > 0
  }

  /** From now on, until it is stored again, no backup builds on a chunk. */
  doubt(ids: ChunkList, position: number): void {
    const entry = this.find(ids, position)
    if (entry >= 0) this.#doubted.add(entry)
  }

  /** Where a durable chunk lies. */
  placeOf(ids: ChunkList, position: number): Place | undefined {
    const entry = this.find(ids, position)
    if (entry < 0) return undefined
    const pack = this.index.packOf(entry)
    if (this.packs[pack]?.state !== 'durable') return undefined
    return { pack, offset: this.index.offsetOf(entry), lengthBytes: this.index.lengthOf(entry) }
  }

  /** Takes up a pack that lies in the storage. */
  addDurable(packId: string, createdMs: number, sizeBytes: number, inSegment: boolean): number {
    const isGoing = this.deletions.has(packId)
    return this.packs.push({ packId, createdMs, sizeBytes, state: 'durable', inSegment, isGoing }) - 1
  }

  /**
   * Takes up a pack that another process has written, by the table that was read from the storage, in one step of the event loop. Chunks
   * that are stored already stay where they are. Taking a pack up twice changes nothing.
   *
   * @param pin is told the numbers of all packs that its chunks lie in
   * @returns false when the pack is given up, or may be, or some of its chunks are not counted on: they are not stored by that
   */
  takeUp(packId: string, table: PackTable, pin: (pack: number) => void): boolean {
    if (this.#closed) throw new VaultFailure('closed', 'the vault was closed')
    const former = this.packs.find((pack) => pack.packId === packId)
    if (former ? former.state !== 'durable' || former.isGoing : this.deletions.has(packId)) return false
    const { ids, offsets, lengths } = table
    if (former) {
      // Its segment may leave out what lay in another pack at that time: that would be missing when the domain is loaded again.
      const entries = Array.from({ length: ids.length }, (_, chunk) => this.findLasting(ids, chunk))
      if (entries.includes(-1)) return false
      for (const entry of entries) pin(this.index.packOf(entry))
      return true
    }
    const number = this.addDurable(packId, table.createdMs, table.sizeBytes, false)
    this.index.reserve(this.index.size + ids.length)
    for (let chunk = 0; chunk < ids.length; chunk++) {
      const entry = this.findSound(ids, chunk)
      if (entry < 0) {
        this.#doubted.delete(this.index.set(ids, chunk, number, offsets[chunk] ?? 0, lengths[chunk] ?? 0))
      }
      pin(entry < 0 ? number : this.index.packOf(entry))
    }
    this.#coverDurable()
    return true
  }

  /**
   * Stores a sealed chunk unless it is stored already, and tells `pin` the number of its pack before anything else can
   * happen to it. Resolves when `sealed` may be reused; durable it is only after `flush`.
   */
  async add(id: ChunkList, sealed: Uint8Array, pin: (pack: number) => void): Promise<void> {
    while (this.#isCurrentFull() && this.#finishing.size >= finishingMax) {
      await Promise.race(this.#finishing).catch(() => undefined)
    }
    if (this.#closed) throw new VaultFailure('closed', 'the vault was closed')
    const entry = this.findSound(id, 0)
    if (entry >= 0) return pin(this.index.packOf(entry))
    if (this.#isCurrentFull()) this.#finishCurrent()
    this.#current ??= this.newWriter()
    const { number, writer } = this.#current
    const { offset, written } = writer.append(id.bytes, sealed)
    this.#doubted.delete(this.index.set(id, 0, number, offset, sealed.length))
    pin(number)
    await this.#retireOnFailure(number, writer, written)
  }

  /** Makes everything added so far durable. Rejects when a pack could not be written; its chunks are absent then. */
  async flush(): Promise<void> {
    this.#finishCurrent()
    await Promise.all(this.#finishing)
  }

  /** Makes everything durable, and takes nothing more: not even from those who are still waiting to add. */
  async close(): Promise<void> {
    this.#closed = true
    await this.flush()
    await this.segments.cover(1)
  }

  /** A writer for chunks that move, apart from the pack that backups fill. */
  newWriter(): { readonly number: number; readonly writer: PackWriter } {
    const packId = newPackId()
    const createdMs = this.settings.nowMs()
    const opening = this.settings.backend.create(packsPrefix(this.settings.keys.tag) + packId)
    const writer = new PackWriter(this.identityOf(packId), createdMs, opening)
    const number =
      this.packs.push({
        packId,
        createdMs,
        sizeBytes: 0,
        state: 'writing',
        inSegment: false,
        isGoing: false,
      }) - 1
    return { number, writer }
  }

  /** Finishes a pack; its chunks are durable when this resolves. */
  async finish(number: number, writer: PackWriter): Promise<void> {
    const sizeBytes = writer.sizeBytes
    await this.#retireOnFailure(number, writer, writer.finish())
    const pack = this.pack(number)
    pack.sizeBytes = sizeBytes
    pack.state = 'durable'
    this.#coverDurable()
  }

  /**
   * The same, for whoever deletes what the chunks were copied from: a storage that has acknowledged a pack may nevertheless not have it.
   *
   * @throws VaultFailure `storage` when the pack cannot be read back; its chunks count as absent then
   */
  async finishAndReadBack(number: number, writer: PackWriter): Promise<void> {
    await this.finish(number, writer)
    const name = this.objectOf(number)
    try {
      await readPackTable(this.settings.backend, name, this.identityOf(this.pack(number).packId))
    } catch (cause) {
      this.pack(number).state = 'retired'
      if (!isVaultFailure(cause, 'damaged')) throw cause
      throw new VaultFailure('storage', `the storage acknowledged ${name} and does not give it back`, {
        cause,
      })
    }
  }

  /** Gives up a pack that was begun: its chunks count as absent before anything of it goes. */
  async giveUp(number: number, writer: PackWriter): Promise<void> {
    this.pack(number).state = 'retired'
    await writer.abort()
  }

  /** Forgets the entries of retired packs once they are more than the others. */
  forgetRetired(): void {
    const { index } = this
    const isRetired = (entry: number) => this.pack(index.packOf(entry)).state === 'retired'
    let retired = 0
    for (let entry = 0; entry < index.size; entry++) if (isRetired(entry)) retired++
    if (retired * 2 <= index.size) return
    const liveEntries = new ChunkIndex(index.size - retired)
    const id = ChunkList.ofZeros(1)
    for (let entry = 0; entry < index.size; entry++) {
      if (isRetired(entry)) continue
      index.copyId(entry, id, 0)
      liveEntries.set(id, 0, index.packOf(entry), index.offsetOf(entry), index.lengthOf(entry))
    }
    this.index = liveEntries
    // Entries have other numbers now; a repair, which follows damage, forgets damaged chunks for good.
    this.#doubted.clear()
  }

  /**
   * Which packs are not there that should be. Those that a former holder of the vault has deleted since are given up.
   *
   * @param expected the objects of packs that were durable before the storage was asked for `present`
   * @param present the objects of all packs that are there
   */
  missingObjects(expected: readonly string[], present: ReadonlySet<string>): string[] {
    this.#retireGone(present)
    const wereDurable = new Set(expected)
    return this.durableObjects().filter((object) => wereDurable.has(object) && !present.has(object))
  }

  #retireGone(present: ReadonlySet<string>): void {
    for (const number of this.durablePacks()) {
      const pack = this.pack(number)
      if (!pack.isGoing || present.has(this.objectOf(number))) continue
      pack.state = 'retired'
      this.deletions.settle(pack.packId)
    }
  }

  /** Ids of the packs among these objects that nobody here has written, taken up or given up. */
  unknownAmong(objects: Iterable<string>): string[] {
    const ids = new Set(this.packs.map(({ packId }) => packId))
    return [...objects].map(baseName).filter((packId) => !ids.has(packId))
  }

  durablePacks(): number[] {
    return [...this.packs.keys()].filter((number) => this.pack(number).state === 'durable')
  }

  durableIds(): string[] {
    return this.durablePacks().map((number) => this.pack(number).packId)
  }

  durableObjects(): string[] {
    return this.durablePacks().map((number) => this.objectOf(number))
  }

  usage(): { packs: number; chunks: number; storedBytes: number } {
    const packs = this.durablePacks()
    let chunks = 0
    for (let entry = 0; entry < this.index.size; entry++) {
      if (this.pack(this.index.packOf(entry)).state === 'durable') chunks++
    }
    return {
      packs: packs.length,
      chunks,
      storedBytes: packs.reduce((total, number) => total + this.pack(number).sizeBytes, 0),
    }
  }

  pack(number: number): Pack {
    const pack = this.packs[number]
    if (!pack) throw new RangeError(`there is no pack ${number}`)
    return pack
  }

  /** Without a segment the next opening reads the packs' tables; a storage that fails is noticed by the next pack. */
  #coverDurable(): void {
    this.segments.cover(packsPerSegment).catch(() => undefined)
  }

  #isCurrentFull(): boolean {
    return this.#current !== undefined && this.#current.writer.sizeBytes >= this.settings.packSizeBytes
  }

  #finishCurrent(): void {
    if (!this.#current) return
    const { number, writer } = this.#current
    this.#current = undefined
    const finishing = this.finish(number, writer).finally(() => this.#finishing.delete(finishing))
    this.#finishing.add(finishing)
    // A failure is seen by those who flush, and by those who commit because their chunks are absent.
    finishing.catch(() => undefined)
  }

  /** A pack that cannot be written takes all its chunks along: they count as absent from now on. */
  async #retireOnFailure(number: number, writer: PackWriter, work: Promise<void>): Promise<void> {
    try {
      await work
    } catch (error) {
      if (this.#current?.number === number) this.#current = undefined
      await this.giveUp(number, writer)
      throw error
    }
  }
}
