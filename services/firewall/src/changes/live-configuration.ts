import { setImmediate } from 'node:timers/promises'
import { type Clock, type Log, type Store, TextSeal } from '@palisade/platform'
import type { Kysely } from 'kysely'
import type { CompiledCatalogue, CompiledKind } from '../kinds/compiled-kind.ts'
import type { AuditLog } from '../logs/audit-log.ts'
import type { ConfigurationObject } from '../objects/configuration-object.ts'
import { Snapshot, type Write } from '../objects/snapshot.ts'
import type { FirewallTables } from '../tables.ts'
import type { Author } from './author.ts'
import { ChangeWriter, type DeletionKeeper, type RenamingFollower } from './change-writer.ts'
import { VersionFollower } from './follow-versions.ts'
import type { Plan } from './plan.ts'
import { openedContent } from './sealed-content.ts'
import { contentOfStored } from './stored-content.ts'
import { readNews, type StoredObject, storedVersion } from './stored-versions.ts'

/** So many stored objects are read in a few milliseconds. */
const rowsBetweenPauses = 200

/** What the live configuration stands on. */
export interface LiveConfigurationDependencies {
  readonly catalogue: CompiledCatalogue
  readonly store: Store
  readonly log: Log
  readonly audit: AuditLog
  readonly clock: Clock
  /** 32 bytes that only this installation knows. */
  readonly key: Buffer
}

/**
 * The configuration as it is now: read from memory, changed in the store first. Changes are made one after the
 * other; each is one transaction with its entry in the record of changes, and is durable when acknowledged.
 */
export class LiveConfiguration {
  readonly #catalogue: CompiledCatalogue
  readonly #store: Store
  readonly #tables: Kysely<FirewallTables>
  readonly #seal: TextSeal
  readonly #writer: ChangeWriter
  #snapshot: Snapshot
  readonly #listeners = new Set<() => void>()
  #lastChange: Promise<unknown> = Promise.resolve()
  #follower: VersionFollower | undefined

  private constructor(deps: LiveConfigurationDependencies) {
    this.#catalogue = deps.catalogue
    this.#store = deps.store
    this.#tables = deps.store.tables<FirewallTables>()
    this.#seal = new TextSeal(deps.key, 'palisade-firewall/configuration')
    this.#writer = new ChangeWriter({ ...deps, seal: this.#seal })
    this.#snapshot = Snapshot.factory(deps.catalogue)
  }

  static async open(deps: LiveConfigurationDependencies): Promise<LiveConfiguration> {
    const configuration = new LiveConfiguration(deps)
    await configuration.#catchUp(undefined)
    configuration.#follower = new VersionFollower({
      ...deps,
      version: () => configuration.#snapshot.version,
      refresh: (announced) => configuration.#refresh(announced),
    })
    return configuration
  }

  /** Ends looking for other servers' changes, and waits for the change that is being made. */
  async close(): Promise<void> {
    this.#follower?.close()
    await this.#lastChange
  }

  get snapshot(): Snapshot {
    return this.#snapshot
  }

  /**
   * Calls the listener whenever there is another snapshot, whoever made the change. It must not throw.
   *
   * @returns ends the calls
   */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Calls the follower whenever a change gives an object another name. What it throws undoes the change. */
  onRenaming(follower: RenamingFollower): void {
    this.#writer.onRenaming(follower)
  }

  /** Calls the keeper whenever a change deletes objects that are to be kept, before the snapshot is another one. What it throws undoes the change. */
  onDeletion(keeper: DeletionKeeper): void {
    this.#writer.onDeletion(keeper)
  }

  /**
   * The kind with this name.
   *
   * @throws Error when the catalogue has none
   */
  kind(name: string): CompiledKind {
    const kind = this.#catalogue.get(name)
    if (!kind) throw new Error(`the catalogue has no kind ${name}`)
    return kind
  }

  /** All objects of a kind that lies in nothing else; none where the catalogue has no such kind. */
  objects(kindName: string): readonly ConfigurationObject[] {
    const kind = this.#catalogue.get(kindName)
    return kind === undefined ? [] : [...(this.#snapshot.collection(kind, []) ?? [])]
  }

  /** The object that holds what concerns the system itself, such as how long sessions last. */
  system(): ConfigurationObject {
    const kind = this.kind('system')
    const system = this.#snapshot.object(kind, [kind.title])
    if (!system) throw new Error('the single system object is not there')
    return system
  }

  /**
   * Makes a change.
   *
   * @param decide plans the change on the newest snapshot, and throws where it is to be refused. Called again
   *   when another server has changed the configuration in between; a refusal and a plan that changes nothing count only on
   *   the version that the store has.
   */
  change(author: Author, decide: (snapshot: Snapshot) => Plan): Promise<Plan> {
    return this.#inTurn(async () => {
      // Else the change would be tried on the older version first.
      if (this.#follower?.isBehind) await this.#catchUp(this.#snapshot.version)
      for (;;) {
        const before = this.#snapshot
        const decision = attempt(() => decide(before))
        if ('value' in decision && decision.value.writes.length > 0) {
          if (await this.#writer.write(author, before.version, decision.value)) {
            this.#take(before.with(decision.value.writes, before.version + 1))
            return decision.value
          }
        } else if ((await storedVersion(this.#tables)) === before.version) {
          if ('value' in decision) return decision.value
          throw decision.error
        }
        await this.#catchUp(this.#snapshot.version)
      }
    })
  }

  /**
   * Takes over what other servers have changed, now and not within a second.
   *
   * @returns whether the snapshot is another one than when this was called, also where somebody else took it over
   *   in between
   */
  refresh(): Promise<boolean> {
    return this.#refresh(undefined)
  }

  /** @param announced what another server says is the newest version; undefined to ask the store */
  #refresh(announced: number | undefined): Promise<boolean> {
    const { version } = this.#snapshot
    return this.#inTurn(async () => {
      const isNewer =
        announced === undefined
          ? (await storedVersion(this.#tables)) !== this.#snapshot.version
          : // A change that was made here meanwhile has brought it.
            announced > this.#snapshot.version
      if (isNewer) await this.#catchUp(this.#snapshot.version)
      return this.#snapshot.version !== version
    })
  }

  /**
   * Takes over what is newer in the store, as at start or when another server has made changes.
   *
   * @param known the version of the snapshot; undefined at start
   */
  async #catchUp(known: number | undefined): Promise<void> {
    const { version, isWhole, deleted, written } = await readNews(this.#store, known)
    const deletions = deleted.flatMap(({ kind: name, path }): Write[] => {
      const kind = this.#catalogue.get(name)
      return kind ? [{ kind, path: JSON.parse(path), content: undefined }] : []
    })
    const writes: Write[] = []
    for (const [index, row] of written.entries()) {
      // Others are served in between.
      if (index % rowsBetweenPauses === rowsBetweenPauses - 1) await setImmediate()
      writes.push(...this.#read(row))
    }
    const before = isWhole ? Snapshot.factory(this.#catalogue) : this.#snapshot.with(deletions, version)
    this.#take(before.with(writes, version))
  }

  /** None where the catalogue has no such kind any more. */
  #read(row: StoredObject): Write[] {
    const kind = this.#catalogue.get(row.kind)
    if (!kind) return []
    const content = contentOfStored(kind, openedContent(kind, JSON.parse(row.document), this.#seal))
    return [{ kind, path: JSON.parse(row.path), content, version: row.version }]
  }

  #take(snapshot: Snapshot): void {
    this.#snapshot = snapshot
    for (const listener of this.#listeners) listener()
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const change = this.#lastChange.then(work)
    this.#lastChange = change.catch(() => undefined)
    return change
  }
}

/** What the work gives, or what it throws. */
function attempt<T>(work: () => T): { readonly value: T } | { readonly error: unknown } {
  try {
    return { value: work() }
  } catch (error) {
    return { error }
  }
}
