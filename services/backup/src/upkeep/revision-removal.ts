import type { Clock, Log, Store } from '@palisade/platform'
import { isVaultFailure, type Vault } from '@palisade/vault'
import type { Kysely } from 'kysely'
import { type ComputerId, domainOf } from '../computer-id.ts'
import { lockComputer } from '../computers/lock-computer.ts'
import type { BackupConfiguration } from '../configuration.ts'
import type { Revisions } from '../revisions/revisions.ts'
import type { BackupTables } from '../tables.ts'
import type { Tasks } from '../tasks/tasks.ts'
import type { Timers } from '../timers.ts'
import type { DeletionTrouble } from './deletion-trouble.ts'

/**
 * Deletes revisions.
 *
 *     1  the row is marked: the revision is shown to nobody, and cannot be restored
 *     2  the vault lets it go
 *     3  the row goes
 *
 * A crash after 1, or a vault that cannot do 2, is made good by `finish`: at the next start, before what only the vault has is
 * adopted, and before each collection, which frees the space.
 */
export class RevisionRemoval {
  readonly #tables: Kysely<BackupTables>
  readonly #vault: Vault
  readonly #revisions: Revisions
  readonly #tasks: Tasks
  readonly #timers: Timers
  readonly #trouble: DeletionTrouble
  readonly #clock: Clock
  readonly #log: Log
  readonly #collectAfterMs: number

  constructor(deps: {
    store: Store
    vault: Vault
    revisions: Revisions
    tasks: Tasks
    timers: Timers
    trouble: DeletionTrouble
    clock: Clock
    log: Log
    upkeep: BackupConfiguration['upkeep']
  }) {
    this.#tables = deps.store.tables<BackupTables>()
    this.#vault = deps.vault
    this.#revisions = deps.revisions
    this.#tasks = deps.tasks
    this.#timers = deps.timers
    this.#trouble = deps.trouble
    this.#clock = deps.clock
    this.#log = deps.log
    this.#collectAfterMs = deps.upkeep.collectAfterDeletionSeconds * 1000
  }

  /**
   * Deletes revisions of a computer, but for pinned ones and those that an unfinished restore reads. What the vault cannot let go now it lets go
   * later, shown to nobody meanwhile.
   *
   * @returns the ids that are gone
   */
  async remove(computer: ComputerId, ids: readonly number[]): Promise<number[]> {
    const marked = await this.#tables.transaction().execute(async (transaction) => {
      await lockComputer(transaction, computer)
      const inUse = await this.#tasks.revisionsBeingRestored(computer, transaction)
      const free = ids.filter((id) => !inUse.has(id))
      return this.#revisions.markDeleted(transaction, computer, free, this.#clock.now())
    })
    if (marked.length === 0) return []
    for (const id of marked) await this.#letGoOrNote(computer, id)
    await this.#timers.setAtLatest('collect', '', this.collectionDueAt())
    return marked
  }

  /** When the space of what is deleted now is to be freed, milliseconds since 1970. */
  collectionDueAt(): number {
    return this.#clock.now() + this.#collectAfterMs
  }

  /**
   * Deletes what is marked and was not let go. What cannot be deleted now either stays marked.
   *
   * @returns whether all of it has gone
   */
  async finish(signal?: AbortSignal): Promise<boolean> {
    let isAllGone = true
    for (const { id, ...computer } of await this.#revisions.marked()) {
      signal?.throwIfAborted()
      isAllGone = (await this.#letGoOrNote(computer, id)) && isAllGone
    }
    return isAllGone
  }

  async #letGoOrNote(computer: ComputerId, id: number): Promise<boolean> {
    try {
      await this.#letGo(computer, id)
      return true
    } catch (err) {
      this.#trouble.note(err)
      this.#log.error({ err, computer: domainOf(computer), revision: id }, 'a revision cannot be deleted yet')
      return false
    }
  }

  async #letGo(computer: ComputerId, id: number): Promise<void> {
    try {
      await this.#vault.deleteRevision(domainOf(computer), String(id))
    } catch (error) {
      // It went before the server was killed.
      if (!isVaultFailure(error, 'revision-missing')) throw error
    }
    await this.#revisions.forget(id)
  }
}
