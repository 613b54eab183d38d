import type { ChunkList } from '../chunk/chunk-list.ts'
import { isPatchable } from '../chunk/patch.ts'
import { VaultFailure } from '../failure.ts'
import { revisionsPrefix } from '../object-names.ts'
import { assertPackId } from '../pack/pack-format.ts'
import { RevisionChunks } from '../revision/revision-chunks.ts'
import { encodeRevision } from '../revision/revision-format.ts'
import { assertRevisionId, type Json, type RevisionHead } from '../revision/revision-head.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'
import { assertNamed, idToAdd } from './added-chunk.ts'
import type { Domain } from './domain.ts'
import { readTableUnlessDamaged } from './load-packs.ts'

/** What the caller says about a revision; the rest of its head the vault knows. */
export interface NewRevision {
  readonly revision: string
  readonly volume: string
  readonly capacityBytes: number
  readonly metadata: Json
  /** The ids of the volume's chunks in order, zero where the volume is; or with what is said of those that are patched. */
  readonly chunks: ChunkList | RevisionChunks
}

/** How many ids are looked up before other work gets its turn. */
const lookupsPerTurn = 50_000

/**
 * A backup under way in one domain. Any number of sessions may run side by side; what one has stored the others find.
 *
 * A chunk that the session was told is stored, or has added, stays stored until the session ends, also when a
 * collection runs meanwhile. Adding is not durable before `flush` or `commitRevision`; chunks that were durable when a
 * session or the process ended without commit are found by the next session until a collection removes them.
 */
export class BackupSession {
  /** Numbers of the packs this session relies on. */
  readonly pins = new Set<number>()
  readonly #domain: Domain
  readonly #nowMs: () => number
  readonly #committing = new Set<Promise<RevisionHead>>()
  #ended = false

  constructor(domain: Domain, nowMs: () => number) {
    this.#domain = domain
    this.#nowMs = nowMs
    domain.sessions.add(this)
  }

  /** Positions in `ids` of the chunks that must be added, those included that were found damaged. Zero ids need nothing. Call it for some thousands at once. */
  missing(ids: ChunkList): number[] {
    this.#assertOpen()
    const { store } = this.#domain
    const positions: number[] = []
    for (let position = 0; position < ids.length; position++) {
      if (ids.isZero(position)) continue
      const entry = store.findSound(ids, position)
      if (entry < 0) positions.push(position)
      else this.pins.add(store.index.packOf(entry))
    }
    return positions
  }

  /** Positions in `ids` of the chunks that a crash at this moment would lose, or that are not stored at all. */
  notDurable(ids: ChunkList): number[] {
    this.#assertOpen()
    const positions: number[] = []
    for (let position = 0; position < ids.length; position++) {
      if (!ids.isZero(position) && !this.#pinDurable(ids, position)) positions.push(position)
    }
    return positions
  }

  /**
   * Opens a sealed chunk, in another thread, and stores it when it has the content that its id names; of one that is sealed end to
   * end the mark is compared. One that is stored already costs nothing. Resolves when `sealed` may be reused: whoever waits for
   * it before sending more keeps the memory bounded. Several may be under way together. Memory that threads share is not copied.
   *
   * @throws VaultFailure `damaged` when the bytes are not the sealed chunk of this id, `storage` when they cannot be written
   */
  async add(id: Uint8Array, sealed: Uint8Array): Promise<void> {
    this.#assertOpen()
    const { chunkSizeBytes, store } = this.#domain
    const ids = idToAdd(id, sealed, chunkSizeBytes)
    // What is stored under an id every later backup relies on, whoever has sent it.
    if (store.findSound(ids, 0) < 0) await assertNamed(this.#domain, ids, sealed)
    this.#assertOpen()
    await store.add(ids, sealed, (pack) => this.pins.add(pack))
  }

  /**
   * Takes up a pack of this domain that another process has written (see pack-contributor.ts). Its table is read from the storage, whatever
   * anybody says of it. From then on its chunks are durable, and stay stored until the session ends, like those that were added. Taking a
   * pack up twice is no failure.
   *
   * @returns false when the storage has no such pack of this vault, or it was given up: its chunks are not stored by that
   * @throws VaultFailure `invalid-argument`, `closed`, `storage`
   */
  async takePack(packId: string): Promise<boolean> {
    this.#assertOpen()
    assertPackId(packId)
    const { store } = this.#domain
    const table = await readTableUnlessDamaged(store, packId)
    this.#assertOpen()
    return table !== undefined && store.takeUp(packId, table, (pack) => this.pins.add(pack))
  }

  /** How many packs of the domain are durable. More of them than before a failure show that the storage takes some again. */
  get durablePackCount(): number {
    return this.#domain.store.durablePacks().length
  }

  /** Makes all chunks added so far durable, by all sessions of the domain. */
  async flush(): Promise<void> {
    this.#assertOpen()
    await this.#domain.store.flush()
  }

  /**
   * Makes everything durable, then the revision visible, and ends the session. When it fails the session goes on: after
   * `chunk-missing` add what `missing` names and commit again.
   *
   * @throws VaultFailure `chunk-missing`, `revision-exists`, `invalid-argument`, `storage`
   */
  async commitRevision(revision: NewRevision): Promise<RevisionHead> {
    this.#assertOpen()
    const committing = this.#commit(revision)
    this.#committing.add(committing)
    try {
      return await committing
    } finally {
      this.#committing.delete(committing)
    }
  }

  /**
   * Ends the session without a revision; a commit under way is waited for. What was added is kept for a next attempt.
   * Ending twice is no failure.
   */
  async abort(): Promise<void> {
    while (this.#committing.size > 0) await Promise.allSettled(this.#committing)
    if (this.#ended) return
    this.#end()
    await this.#domain.store.flush()
  }

  async #commit(revision: NewRevision): Promise<RevisionHead> {
    const domain = this.#domain
    const chunks =
      revision.chunks instanceof RevisionChunks ? revision.chunks : RevisionChunks.of(revision.chunks)
    const head = headOf(domain, revision, chunks.count, this.#nowMs())
    assertPatchedWhole(head, chunks)
    if (domain.committing.has(head.revision)) throw alreadyThere(head.revision)
    domain.committing.add(head.revision)
    try {
      await this.#makeDurable(chunks.stored)
      const name = revisionsPrefix(domain.keys.tag) + head.revision
      const { backend } = domain.store.settings
      const stored = await backend.putNew(name, await encodeRevision(domain.keys, head, chunks))
      if (!stored) throw alreadyThere(head.revision)
      domain.remembered.add(head.revision)
    } finally {
      domain.committing.delete(head.revision)
    }
    this.#end()
    return head
  }

  /** Flushes until every chunk of the list is durable, or finds that some are not there. */
  async #makeDurable(chunks: ChunkList): Promise<void> {
    for (;;) {
      await this.#domain.store.flush()
      let missing = 0
      let pending = 0
      for (let position = 0; position < chunks.length; position++) {
        if (position % lookupsPerTurn === lookupsPerTurn - 1) await yieldToEventLoop()
        if (chunks.isZero(position) || this.#pinDurable(chunks, position)) continue
        if (this.#domain.store.findLasting(chunks, position) < 0) missing++
        else pending++
      }
      if (missing > 0)
        throw new VaultFailure('chunk-missing', `${missing} chunks of the revision are not stored`)
      if (pending === 0) return
    }
  }

  #pinDurable(ids: ChunkList, position: number): boolean {
    const { store } = this.#domain
    const place = store.placeOf(ids, position)
    if (!place || store.pack(place.pack).isGoing) return false
    this.pins.add(place.pack)
    return true
  }

  #end(): void {
    this.#ended = true
    this.#domain.endSession(this)
  }

  #assertOpen(): void {
    if (this.#ended) throw new VaultFailure('closed', 'the backup session has ended')
  }
}

function headOf(domain: Domain, revision: NewRevision, chunkCount: number, createdMs: number): RevisionHead {
  const { chunkSizeBytes } = domain
  const { capacityBytes, volume, metadata } = revision
  assertRevisionId(revision.revision)
  if (!Number.isSafeInteger(capacityBytes) || Math.ceil(capacityBytes / chunkSizeBytes) !== chunkCount) {
    const message = `${chunkCount} chunks of ${chunkSizeBytes} bytes do not make a volume of ${capacityBytes} bytes`
    throw new VaultFailure('invalid-argument', message)
  }
  return {
    domain: domain.name,
    revision: revision.revision,
    volume,
    capacityBytes,
    chunkSizeBytes,
    chunkCount,
    createdMs,
    metadata,
  }
}

/** Only chunks of full length are patched, where they have pieces. @throws VaultFailure `invalid-argument` */
function assertPatchedWhole({ capacityBytes, chunkSizeBytes }: RevisionHead, chunks: RevisionChunks): void {
  const wholeChunks = isPatchable(chunkSizeBytes) ? Math.floor(capacityBytes / chunkSizeBytes) : 0
  for (const { position } of chunks.patchedIn(wholeChunks, chunks.count)) {
    throw new VaultFailure(
      'invalid-argument',
      `chunk ${position} has not the length of one that can be patched`,
    )
  }
}

function alreadyThere(revision: string): VaultFailure {
  return new VaultFailure('revision-exists', `there is a revision ${revision} already`)
}
