import type { DomainKeys } from '../keys/derive.ts'
import type { BackupSession } from './backup-session.ts'
import type { PackStore } from './pack-store.ts'
import type { RevisionReader } from './revision-reader.ts'

/** One domain while the vault is open: its keys, its packs, and who is using them. */
export class Domain {
  readonly name: string
  readonly keys: DomainKeys
  readonly store: PackStore
  readonly chunkSizeBytes: number
  readonly sessions = new Set<BackupSession>()
  readonly readers = new Set<RevisionReader>()
  /** Revision ids being written, so that two commits of one id cannot both find it free. */
  readonly committing = new Set<string>()
  /** Settles when the domain's name has been written down. */
  recorded: Promise<void> | undefined
  /** What sessions and readers had pinned that ended while a collection was under way; it leaves these packs alone. */
  #keptPacks: Set<number> | undefined

  constructor(name: string, keys: DomainKeys, store: PackStore, chunkSizeBytes: number) {
    this.name = name
    this.keys = keys
    this.store = store
    this.chunkSizeBytes = chunkSizeBytes
  }

  /** Whether somebody relies on what is in a pack. */
  isPinned(pack: number): boolean {
    if (this.#keptPacks?.has(pack)) return true
    for (const { pins } of [...this.sessions, ...this.readers]) if (pins.has(pack)) return true
    return false
  }

  /** Takes a session out; a collection under way, which may not know its revision yet, respects its pins. */
  endSession(session: BackupSession): void {
    this.sessions.delete(session)
    this.#keepPacks(session.pins)
  }

  endReader(reader: RevisionReader): void {
    this.readers.delete(reader)
    this.#keepPacks(reader.pins)
  }

  #keepPacks(pins: ReadonlySet<number>): void {
    for (const pack of pins) this.#keptPacks?.add(pack)
  }
}
