import type { Clock, Store } from '@palisade/platform'
import { type Kysely, sql } from 'kysely'
import type { ComputerId } from '../computer-id.ts'
import type { BackupTables, TaskKind } from '../tables.ts'

/** What agents do in tasks. */
export const taskKinds = ['backup', 'restore'] as const satisfies readonly TaskKind[]

/** How old what is good of a backup set is. */
export interface SetAge extends ComputerId {
  /** The name of the set; empty for the backups of a computer that were started by themselves. */
  readonly set: string
  /**
   * Of the newest good revision of a volume; of several volumes that whose is oldest. Infinite when a volume of the last run, or
   * the whole set, has none.
   */
  readonly ageSeconds: number
}

/** What of a computer is under way. */
export interface UnfinishedTasks extends ComputerId {
  readonly task: TaskKind
  readonly count: number
}

/** Figures about all backups, as the store has them now. */
export class BackupFigures {
  readonly #tables: Kysely<BackupTables>
  readonly #clock: Clock

  constructor(deps: { store: Store; clock: Clock }) {
    this.#tables = deps.store.tables<BackupTables>()
    this.#clock = deps.clock
  }

  /** How old the good revisions are: of each set whose schedule counts, and of what computers have without a set. */
  async ages(): Promise<SetAge[]> {
    const now = this.#clock.now()
    const [sets, good, last] = await Promise.all([
      this.#enabledSets(),
      this.#newestGood(now),
      this.#lastRuns(),
    ])
    const ageOf = (at: number) => Math.max(0, (now - at) / 1000)
    const goodBySet = Map.groupBy(good, ({ setId }) => setId)
    const lastBySet = Map.groupBy(last, ({ setId }) => setId)
    const ofSets = sets.map(({ id, ...set }) => {
      const volumes = goodBySet.get(id) ?? []
      const lastRequests = (lastBySet.get(id) ?? []).map(({ request }) => request)
      const requests = lastRequests.length > 0 ? lastRequests : volumes.map(({ request }) => request)
      const ages = requests.map((wish) => {
        const newest = volumes.find(({ request }) => request === wish)
        return newest ? ageOf(newest.at) : Number.POSITIVE_INFINITY
      })
      return { ...set, ageSeconds: ages.length > 0 ? Math.max(...ages) : Number.POSITIVE_INFINITY }
    })
    const alone = new Map<string, SetAge>()
    for (const { accountId, computerId, at } of goodBySet.get(null) ?? []) {
      const name = `${accountId}/${computerId}`
      const ageSeconds = Math.min(ageOf(at), alone.get(name)?.ageSeconds ?? Number.POSITIVE_INFINITY)
      alone.set(name, { accountId, computerId, set: '', ageSeconds })
    }
    return [...ofSets, ...alone.values()]
  }

  /** The backups and restores that have not ended. */
  async unfinished(): Promise<UnfinishedTasks[]> {
    const rows = await this.#tables
      .selectFrom('backup_task')
      .select(['account_id as accountId', 'computer_id as computerId', 'kind as task'])
      .select(({ fn }) => fn.countAll<number | string>().as('count'))
      .where('ended_at', 'is', null)
      .groupBy(['account_id', 'computer_id', 'kind'])
      .execute()
    return rows.map((row) => ({ ...row, count: Number(row.count) }))
  }

  /** How long the task that was begun first has not ended, of each kind; 0 where all have. */
  async oldestUnfinished(): Promise<{ readonly task: TaskKind; readonly ageSeconds: number }[]> {
    const rows = await this.#tables
      .selectFrom('backup_task')
      .select('kind')
      .select(({ fn }) => fn.min<number>('started_at').as('startedAt'))
      .where('ended_at', 'is', null)
      .groupBy('kind')
      .execute()
    const now = this.#clock.now()
    return taskKinds.map((task) => {
      const startedAt = rows.find(({ kind }) => kind === task)?.startedAt ?? now
      return { task, ageSeconds: Math.max(0, (now - startedAt) / 1000) }
    })
  }

  /** How many computers have an agent that has enrolled. */
  async enrolledAgents(): Promise<number> {
    const { count } = await this.#tables
      .selectFrom('backup_computer')
      .select(({ fn }) => fn.countAll<number | string>().as('count'))
      .where('credential_digest', 'is not', null)
      .where('deleted_at', 'is', null)
      .executeTakeFirstOrThrow()
    return Number(count)
  }

  #enabledSets() {
    return this.#tables
      .selectFrom('backup_set')
      .innerJoin('backup_computer', (join) =>
        join
          .onRef('backup_computer.account_id', '=', 'backup_set.account_id')
          .onRef('backup_computer.id', '=', 'backup_set.computer_id'),
      )
      .select([
        'backup_set.id',
        'backup_set.account_id as accountId',
        'backup_set.computer_id as computerId',
        'backup_set.name as set',
      ])
      .where('backup_set.enabled', '=', 1)
      .where('backup_computer.deleted_at', 'is', null)
      .execute()
  }

  /**
   * When the newest revision was read that is not known to be damaged, of each set and of each source that it was asked for with.
   * An agent says when, whose clock may be ahead or which may lie: none is newer than the end of its backup. One of a time to come
   * whose backup has not ended, or is no longer in the store, does not count.
   */
  #newestGood(now: number) {
    const readAt = sql<number>`max(case when backup_task.ended_at < backup_revision.created_at
      then backup_task.ended_at else backup_revision.created_at end)`
    return this.#tables
      .selectFrom('backup_revision')
      .innerJoin('backup_computer', (join) =>
        join
          .onRef('backup_computer.account_id', '=', 'backup_revision.account_id')
          .onRef('backup_computer.id', '=', 'backup_revision.computer_id'),
      )
      .leftJoin('backup_task', 'backup_task.id', 'backup_revision.backup_id')
      .select([
        'backup_revision.account_id as accountId',
        'backup_revision.computer_id as computerId',
        'backup_revision.set_id as setId',
        'backup_task.request',
      ])
      .select(readAt.as('at'))
      .where('backup_revision.deleted_at', 'is', null)
      .where('backup_computer.deleted_at', 'is', null)
      .where(({ or, eb }) =>
        or([eb('backup_revision.created_at', '<=', now), eb('backup_task.ended_at', 'is not', null)]),
      )
      .where(({ or, eb }) =>
        or([
          eb('backup_revision.verification', 'is', null),
          eb('backup_revision.verification', 'not like', '%"state":"DAMAGED"%'),
        ]),
      )
      .groupBy([
        'backup_revision.account_id',
        'backup_revision.computer_id',
        'backup_revision.set_id',
        'backup_task.request',
      ])
      .execute()
  }

  /** What the last run of each set that has ended tried to back up. */
  #lastRuns() {
    return this.#tables
      .selectFrom('backup_task')
      .innerJoin('backup_action', 'backup_action.id', 'backup_task.action_id')
      .select(['backup_action.set_id as setId', 'backup_task.request'])
      .where('backup_action.id', 'in', (query) =>
        query
          .selectFrom('backup_action as run')
          .select(sql<number>`max(run.id)`.as('id'))
          .where('run.kind', '=', 'run-set')
          .where('run.ended_at', 'is not', null)
          .where(({ exists, selectFrom }) =>
            exists(
              selectFrom('backup_task as tried')
                .select('tried.id')
                .whereRef('tried.action_id', '=', 'run.id'),
            ),
          )
          .groupBy('run.set_id'),
      )
      .execute()
  }
}
