import type { Lease, Store } from '@palisade/platform'
import type { ExpressionBuilder, Kysely } from 'kysely'
import type { BackupTables, TimerKind, TimerRow } from './tables.ts'

/** One thing that is due at some time. */
export interface Timer {
  readonly kind: TimerKind
  /** The set that it is about, or the computer's domain in the vault; empty for what is about everything. */
  readonly subject: string
  /** Milliseconds since 1970. */
  readonly dueAt: number
}

/** Leases are shorter, and clocks of servers agree within a minute: one that ends later is of a clock that was ahead. */
const leaseEndMaxMs = 180_000

/**
 * What is due when, in the store, so that of several servers one does it, and a restart forgets nothing: what became
 * due while nobody was there is due once.
 *
 * Whatever is due is done under a lease (`claim`), which the server renews as long as it is at it; when the server dies, the
 * lease runs out and another server begins anew. What is to be done once even then moves the timer on in the transaction in
 * which it is done (`advance`).
 */
export class Timers {
  readonly #tables: Kysely<BackupTables>

  constructor(store: Store) {
    this.#tables = store.tables<BackupTables>()
  }

  /** Sets a timer, whatever it was before; null takes it away. Also within a transaction. */
  async set(
    tables: Kysely<BackupTables>,
    kind: TimerKind,
    subject: string,
    dueAt: number | null,
  ): Promise<void> {
    if (dueAt === null) {
      await tables
        .deleteFrom('backup_timer')
        .where('kind', '=', kind)
        .where('subject', '=', subject)
        .execute()
      return
    }
    await tables
      .insertInto('backup_timer')
      .values({ kind, subject, due_at: dueAt, holder: null, leased_until: 0 })
      .onConflict((conflict) => conflict.columns(['kind', 'subject']).doUpdateSet({ due_at: dueAt }))
      .execute()
  }

  /** Sets a timer that is not set, or brings one forward that is due later. Also within a transaction. */
  async setAtLatest(
    kind: TimerKind,
    subject: string,
    dueAt: number,
    tables: Kysely<BackupTables> = this.#tables,
  ): Promise<void> {
    await tables
      .insertInto('backup_timer')
      .values({ kind, subject, due_at: dueAt, holder: null, leased_until: 0 })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    await tables
      .updateTable('backup_timer')
      .set({ due_at: dueAt })
      .where('kind', '=', kind)
      .where('subject', '=', subject)
      .where('due_at', '>', dueAt)
      .execute()
  }

  /** Brings timers of a kind forward that are due later. */
  async bringForward(kind: TimerKind, dueAt: number): Promise<void> {
    await this.#tables
      .updateTable('backup_timer')
      .set({ due_at: dueAt })
      .where('kind', '=', kind)
      .where('due_at', '>', dueAt)
      .execute()
  }

  /** What is due and nobody is at, the longest due first. */
  async due(nowMs: number): Promise<Timer[]> {
    const rows = await this.#tables
      .selectFrom('backup_timer')
      .select(['kind', 'subject', 'due_at as dueAt'])
      .where('due_at', '<=', nowMs)
      .where(isFree(nowMs))
      .orderBy('due_at')
      .execute()
    return rows
  }

  /** When the first timer is due that nobody is at. */
  async nextDueAt(nowMs: number): Promise<number | undefined> {
    const row = await this.#tables
      .selectFrom('backup_timer')
      .select('due_at')
      .where(isFree(nowMs))
      .orderBy('due_at')
      .limit(1)
      .executeTakeFirst()
    return row?.due_at
  }

  /** When a timer is due; undefined when there is none. */
  async dueAt(kind: TimerKind, subject: string): Promise<number | undefined> {
    const row = await this.#tables
      .selectFrom('backup_timer')
      .select('due_at')
      .where('kind', '=', kind)
      .where('subject', '=', subject)
      .executeTakeFirst()
    return row?.due_at
  }

  /**
   * Moves a timer on, or takes it away.
   *
   * @returns whether it was this call that did it: of two servers one is told so
   */
  async advance(tables: Kysely<BackupTables>, timer: Timer, nextDueAt: number | null): Promise<boolean> {
    if (nextDueAt === null) {
      const { numDeletedRows } = await tables
        .deleteFrom('backup_timer')
        .where('kind', '=', timer.kind)
        .where('subject', '=', timer.subject)
        .where('due_at', '=', timer.dueAt)
        .executeTakeFirst()
      return numDeletedRows > 0n
    }
    const { numUpdatedRows } = await tables
      .updateTable('backup_timer')
      .set({ due_at: nextDueAt })
      .where('kind', '=', timer.kind)
      .where('subject', '=', timer.subject)
      .where('due_at', '=', timer.dueAt)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

  /**
   * Leases a timer that is due.
   *
   * @returns whether `holder` has it now
   */
  async claim(timer: Timer, { holder, untilMs }: Lease, nowMs: number): Promise<boolean> {
    return this.#update(timer, { holder, leased_until: untilMs }, (row) =>
      row.where('due_at', '=', timer.dueAt).where(isFree(nowMs)),
    )
  }

  /** Keeps a lease longer. @returns whether `holder` still has it */
  async renew(timer: Timer, { holder, untilMs }: Lease): Promise<boolean> {
    return this.#update(timer, { leased_until: untilMs }, (row) => row.where('holder', '=', holder))
  }

  /** Ends a lease, and says when the timer is due next; null when it is done with. */
  async release(timer: Timer, holder: string, nextDueAt: number | null): Promise<void> {
    if (nextDueAt === null) {
      await this.#tables
        .deleteFrom('backup_timer')
        .where('kind', '=', timer.kind)
        .where('subject', '=', timer.subject)
        .where('holder', '=', holder)
        .execute()
      return
    }
    await this.#update(timer, { holder: null, leased_until: 0, due_at: nextDueAt }, (row) =>
      row.where('holder', '=', holder),
    )
  }

  /** Ends a lease, and leaves the timer as it is due now. */
  async free(timer: Timer, holder: string): Promise<void> {
    await this.#update(timer, { holder: null, leased_until: 0 }, (row) => row.where('holder', '=', holder))
  }

  async #update(
    { kind, subject }: Timer,
    values: Partial<TimerRow>,
    condition: (update: ReturnType<Timers['updateOf']>) => ReturnType<Timers['updateOf']>,
  ): Promise<boolean> {
    const update = this.updateOf(values).where('kind', '=', kind).where('subject', '=', subject)
    const { numUpdatedRows } = await condition(update).executeTakeFirst()
    return numUpdatedRows > 0n
  }

  private updateOf(values: Partial<TimerRow>) {
    return this.#tables.updateTable('backup_timer').set(values)
  }
}

/** Whether nobody has a lease. */
function isFree(nowMs: number) {
  return ({ eb, or }: ExpressionBuilder<BackupTables, 'backup_timer'>) =>
    or([eb('leased_until', '<=', nowMs), eb('leased_until', '>', nowMs + leaseEndMaxMs)])
}
