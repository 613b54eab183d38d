import {
  type AuditRow,
  type AuditTables,
  auditRow,
  type Clock,
  type Store,
  type TextSeal,
} from '@palisade/platform'
import type { Kysely } from 'kysely'
import type { CompiledKind } from '../kinds/compiled-kind.ts'
import type { AuditLog } from '../logs/audit-log.ts'
import type { PreparedEntries } from '../logs/log-store.ts'
import type { FirewallTables } from '../tables.ts'
import { auditEntry } from './audit-entry.ts'
import { auditedChanges } from './audited-changes.ts'
import type { Author } from './author.ts'
import { changeInOneStatement } from './change-in-one-statement.ts'
import { announceVersion } from './follow-versions.ts'
import type { KeptObjects, Plan } from './plan.ts'
import { countVersion, isSweptAfter } from './stored-versions.ts'
import { lastWrites, rowsAtOnce, rowsOfWrites, storeWrites } from './stored-writes.ts'

/** Another name that an object gets, with everything inside it. */
export interface Renaming {
  readonly kind: CompiledKind
  readonly from: readonly string[]
  readonly to: readonly string[]
}

/** Has what lies in other tables and names objects follow one that gets another name, in the change's transaction. */
export type RenamingFollower = (transaction: Kysely<FirewallTables>, renaming: Renaming) => Promise<void>

/** Keeps what a change deletes, in the change's transaction. What it throws undoes the change. */
export type DeletionKeeper = (
  transaction: Kysely<FirewallTables>,
  author: Author,
  kept: KeptObjects,
) => Promise<void>

/** The entries of one change, in both logs that have it. */
interface Entries {
  readonly logged: PreparedEntries
  readonly audited: readonly AuditRow[]
}

/** Stores changes, each with its entries in the audit logs and the next version, as a whole or not at all. */
export class ChangeWriter {
  readonly #store: Store
  readonly #tables: Kysely<FirewallTables>
  readonly #audit: AuditLog
  readonly #clock: Clock
  readonly #seal: TextSeal
  readonly #followers = new Set<RenamingFollower>()
  readonly #keepers = new Set<DeletionKeeper>()

  constructor(deps: {
    readonly store: Store
    readonly audit: AuditLog
    readonly clock: Clock
    readonly seal: TextSeal
  }) {
    this.#store = deps.store
    this.#tables = deps.store.tables<FirewallTables>()
    this.#audit = deps.audit
    this.#clock = deps.clock
    this.#seal = deps.seal
  }

  /** Calls the follower whenever a change gives an object another name. What it throws undoes the change. */
  onRenaming(follower: RenamingFollower): void {
    this.#followers.add(follower)
  }

  /** Calls the keeper whenever a change deletes objects that are to be kept. */
  onDeletion(keeper: DeletionKeeper): void {
    this.#keepers.add(keeper)
  }

  /**
   * @param version the one that the plan was made on
   * @returns whether it was still the newest; otherwise nothing was written
   */
  async write(author: Author, version: number, plan: Plan): Promise<boolean> {
    const changes = auditedChanges(author, version + 1, plan)
    const now = this.#clock.now()
    const entries = {
      logged: this.#audit.prepare(changes),
      audited: changes.map((change) => auditRow(auditEntry(change), now)),
    }
    const writes = lastWrites(plan.writes)
    const isAlone = plan.renamedFrom === undefined && plan.kept === undefined
    const isSmall = writes.length <= rowsAtOnce && isAlone && !isSweptAfter(version)
    const isWritten =
      this.#store.kind === 'postgres' && isSmall
        ? await changeInOneStatement(this.#tables, {
            version,
            ...rowsOfWrites(writes, version + 1, this.#seal),
            ...entries,
          })
        : await this.#inTransaction(author, version, { ...plan, writes }, entries)
    if (isWritten) entries.logged.tell()
    return isWritten
  }

  #inTransaction(
    author: Author,
    version: number,
    plan: Plan,
    { logged, audited }: Entries,
  ): Promise<boolean> {
    return this.#tables.transaction().execute(async (transaction) => {
      if (!(await countVersion(transaction, version))) return false
      await storeWrites(transaction, plan.writes, version + 1, this.#seal)
      await this.#letFollow(transaction, plan)
      if (plan.kept) for (const keep of this.#keepers) await keep(transaction, author, plan.kept)
      await this.#audit.writeWithin(transaction, logged)
      await transaction.$extendTables<AuditTables>().insertInto('audit_entry').values(audited).execute()
      await announceVersion(this.#store, transaction, version + 1)
      return true
    })
  }

  async #letFollow(transaction: Kysely<FirewallTables>, { object, renamedFrom }: Plan): Promise<void> {
    if (renamedFrom === undefined) return
    const renaming = { kind: object.kind, from: renamedFrom, to: object.path }
    for (const follow of this.#followers) await follow(transaction, renaming)
  }
}
