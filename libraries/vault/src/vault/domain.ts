import type { ChunkList } from '../chunk/chunk-list.ts'
import { VaultFailure } from '../failure.ts'
import type { DomainKeys } from '../keys/derive.ts'
import type { ChunkVerifier } from '../verify/chunk-verifier.ts'
import type { PackStore } from './pack-store.ts'
import type { RememberedRevisions } from './remembered-revisions.ts'

/** Whoever relies on packs. */
interface PackUser {
  /** Numbers of the packs that it relies on. */
  readonly pins: ReadonlySet<number>
}

/** A backup under way. */
interface Session extends PackUser {
  abort(): Promise<void>
}

/** A list of chunks that is open for reading. */
interface Reader extends PackUser {
  readonly chunks: ChunkList
  close(): void
}

/** One domain while the vault is open: its keys, its packs, and who is using them. */
export class Domain {
  readonly name: string
  readonly keys: DomainKeys
  readonly store: PackStore
  readonly chunkSizeBytes: number
  /** The vault's, shared by all domains. */
  readonly verifier: ChunkVerifier
  readonly remembered: RememberedRevisions
  /** Told when the last session or reader has ended. */
  readonly onUnused: (domain: Domain) => void
  readonly sessions = new Set<Session>()
  readonly readers = new Set<Reader>()
  /** Revision ids being written, so that two commits of one id cannot both find it free. */
  readonly committing = new Set<string>()
  #beginning: Promise<void> | undefined
  /** What sessions and readers had pinned that ended while a collection was under way; it leaves these packs alone. */
  #keptPacks: Set<number> | undefined

  constructor(
    parts: Pick<
      Domain,
      'name' | 'keys' | 'store' | 'chunkSizeBytes' | 'verifier' | 'remembered' | 'onUnused'
    >,
  ) {
    this.name = parts.name
    this.remembered = parts.remembered
    this.verifier = parts.verifier
    this.keys = parts.keys
    this.store = parts.store
    this.chunkSizeBytes = parts.chunkSizeBytes
    this.onUnused = parts.onUnused
  }

  /** Whether a backup or a restore goes on. */
  get isInUse(): boolean {
    return this.sessions.size + this.readers.size > 0
  }

  /** Does what must have been done before the first backup; when it fails, the next backup tries again. */
  begin(work: (domain: Domain) => Promise<void>): Promise<void> {
    if (!this.#beginning) {
      this.#beginning = work(this)
      this.#beginning.catch(() => {
        this.#beginning = undefined
      })
    }
    return this.#beginning
  }

  /** Whether somebody relies on what is in a pack. */
  isPinned(pack: number): boolean {
    if (this.#keptPacks?.has(pack)) return true
    return [...this.sessions, ...this.readers].some(({ pins }) => pins.has(pack))
  }

  /** From now until `endCollection` packs stay pinned although their session or reader has ended. */
  beginCollection(): void {
    this.#keptPacks = new Set()
  }

  endCollection(): void {
    this.#keptPacks = undefined
  }

  /** Takes a session out; a collection under way, which may not know its revision yet, respects its pins. */
  endSession(session: Session): void {
    this.sessions.delete(session)
    this.#keepPacks(session.pins)
    if (!this.isInUse) this.onUnused(this)
  }

  endReader(reader: Reader): void {
    this.readers.delete(reader)
    this.#keepPacks(reader.pins)
    if (!this.isInUse) this.onUnused(this)
  }

  /** @throws VaultFailure `busy` */
  assertIdle(): void {
    if (!this.isInUse) return
    throw new VaultFailure('busy', `a backup or restore of ${this.name} is under way`)
  }

  /** Ends everything, and makes what was added durable. */
  async close(): Promise<void> {
    for (const reader of [...this.readers]) reader.close()
    for (const session of [...this.sessions]) await session.abort()
    await this.store.close()
  }

  #keepPacks(pins: ReadonlySet<number>): void {
    for (const pack of pins) this.#keptPacks?.add(pack)
  }
}
