import type { Clock, Store } from '@palisade/platform'
import type { Kysely } from 'kysely'
import type { CompiledCatalogue } from '../kinds/compiled-kind.ts'
import { completeContent, partToStore } from '../objects/content.ts'
import { Snapshot, type Write } from '../objects/snapshot.ts'
import type { FirewallTables } from '../tables.ts'
import type { Plan } from './plan.ts'

/** On whose behalf a change is made. */
export interface Author {
  readonly username: string
  /** The network address that the request came from. */
  readonly address: string
}

/**
 * The configuration as it is now: read from memory, changed in the store first. Changes are made one after the
 * other; each is one transaction with its entry in the record of changes, and is durable when acknowledged.
 */
export class LiveConfiguration {
  readonly #catalogue: CompiledCatalogue
  readonly #tables: Kysely<FirewallTables>
  readonly #clock: Clock
  #snapshot: Snapshot
  #lastChange: Promise<unknown> = Promise.resolve()

  private constructor(deps: { catalogue: CompiledCatalogue; store: Store; clock: Clock }) {
    this.#catalogue = deps.catalogue
    this.#tables = deps.store.tables<FirewallTables>()
    this.#clock = deps.clock
    this.#snapshot = Snapshot.factory(deps.catalogue)
  }

  static async open(deps: {
    catalogue: CompiledCatalogue
    store: Store
    clock: Clock
  }): Promise<LiveConfiguration> {
    const configuration = new LiveConfiguration(deps)
    await configuration.#reload()
    return configuration
  }

  get snapshot(): Snapshot {
    return this.#snapshot
  }

  /**
   * Makes a change.
   *
   * @param decide plans the change on the newest snapshot, and throws where it is to be refused. Called again
   *   when another server has changed the configuration in between.
   */
  change(author: Author, decide: (snapshot: Snapshot) => Plan): Promise<Plan> {
    const done = this.#lastChange.then(async () => {
      for (;;) {
        const before = this.#snapshot
        const plan = decide(before)
        if (plan.writes.length === 0) return plan
        if (await this.#persist(author, before.version, plan)) {
          this.#snapshot = before.with(plan.writes, before.version + 1)
          return plan
        }
        await this.#reload()
      }
    })
    this.#lastChange = done.catch(() => undefined)
    return done
  }

  /** @returns whether the version was still the newest; otherwise nothing was written */
  #persist(author: Author, version: number, { action, object, writes, details }: Plan): Promise<boolean> {
    return this.#tables.transaction().execute(async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable('firewall_configuration')
        .set({ version: version + 1 })
        .where('version', '=', version)
        .executeTakeFirstOrThrow()
      if (numUpdatedRows === 0n) return false
      for (const write of writes) await persistWrite(transaction, write)
      await transaction
        .insertInto('firewall_change')
        .values({
          ...author,
          action,
          version: version + 1,
          changed_at: this.#clock.now(),
          kind: object.kind.name,
          path: JSON.stringify(object.path),
          details: JSON.stringify(details),
        })
        .execute()
      return true
    })
  }

  /** Takes the newest version from the store, as at start or when another server has made changes. */
  async #reload(): Promise<void> {
    const version = await this.#storedVersion()
    const rows = await this.#tables.selectFrom('firewall_object').selectAll().execute()
    if ((await this.#storedVersion()) !== version) return this.#reload()
    const writes = rows.flatMap(({ kind: kindName, path, document }): Write[] => {
      const kind = this.#catalogue.get(kindName)
      return kind
        ? [{ kind, path: JSON.parse(path), content: completeContent(kind, JSON.parse(document)) }]
        : []
    })
    this.#snapshot = Snapshot.factory(this.#catalogue).with(writes, version)
  }

  async #storedVersion(): Promise<number> {
    const { version } = await this.#tables
      .selectFrom('firewall_configuration')
      .select('version')
      .executeTakeFirstOrThrow()
    return version
  }
}

async function persistWrite(transaction: Kysely<FirewallTables>, write: Write): Promise<void> {
  const key = { kind: write.kind.name, path: JSON.stringify(write.path) }
  if (write.content === undefined) {
    await transaction
      .deleteFrom('firewall_object')
      .where('kind', '=', key.kind)
      .where('path', '=', key.path)
      .execute()
    return
  }
  const document = JSON.stringify(partToStore(write.kind, write.content))
  await transaction
    .insertInto('firewall_object')
    .values({ ...key, document })
    .onConflict((conflict) => conflict.columns(['kind', 'path']).doUpdateSet({ document }))
    .execute()
}
