import type { Store } from '@palisade/platform'
import type { AgentAccess } from '../agents/agent-access.ts'
import type { Dispatch } from '../agents/dispatch.ts'
import type { BackupTables } from '../tables.ts'
import type { ComputerOrAccount } from '../upkeep/losses.ts'

/** Ends what agents have under way whose computers were deleted. */
export class DeletedAgents {
  readonly #store: Store
  readonly #access: AgentAccess
  readonly #dispatch: Dispatch

  constructor(deps: { store: Store; access: AgentAccess; dispatch: Dispatch }) {
    this.#store = deps.store
    this.#access = deps.access
    this.#dispatch = deps.dispatch
  }

  /** To be called when the deletion of a computer, or of an account with its computers, is in the store. May be called twice. */
  async shutOut({ accountId, computerId }: ComputerOrAccount): Promise<void> {
    const deleted = this.#store
      .tables<BackupTables>()
      .selectFrom('backup_computer')
      .where('backup_computer.account_id', '=', accountId)
      .$if(computerId !== undefined, (rows) => rows.where('backup_computer.id', '=', computerId ?? ''))
      .where('backup_computer.deleted_at', 'is not', null)
    for (const { id } of await deleted.select('backup_computer.id').execute()) {
      this.#access.shutOut({ accountId, computerId: id }, 'the computer was deleted')
    }
    const tasks = await deleted
      .innerJoin('backup_task', (join) =>
        join
          .onRef('backup_task.account_id', '=', 'backup_computer.account_id')
          .onRef('backup_task.computer_id', '=', 'backup_computer.id')
          .onRef('backup_task.ended_at', '=', 'backup_computer.deleted_at'),
      )
      .select(['backup_task.kind', 'backup_task.id'])
      .execute()
    for (const { kind, id } of tasks) await this.#dispatch.ended(kind, id, 'CANCELED')
  }
}
