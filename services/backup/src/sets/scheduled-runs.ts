import type { Clock, Log, Store } from '@palisade/platform'
import type { Actions } from '../actions/actions.ts'
import { domainOf } from '../computer-id.ts'
import { lockComputer } from '../computers/lock-computer.ts'
import { nextRun } from '../schedule/next-run.ts'
import type { BackupTables } from '../tables.ts'
import type { Timer, Timers } from '../timers.ts'
import type { Sets } from './sets.ts'

/**
 * The schedule of a set is due: moves it on and enters a run, both in one transaction, so that there is one run for
 * it on however many servers. Whatever was missed in between is that one run. When the run before has not ended,
 * there is no further one: the set is backed up as fast as it can be.
 */
export async function enterScheduledRun(
  timer: Timer,
  deps: {
    readonly store: Store
    readonly sets: Sets
    readonly actions: Actions
    readonly timers: Timers
    readonly clock: Clock
    readonly log: Log
  },
): Promise<void> {
  const { sets, actions, timers, clock, log } = deps
  await deps.store
    .tables<BackupTables>()
    .transaction()
    .execute(async (transaction) => {
      const set = await sets.get(timer.subject, transaction)
      if (!set?.enabled) {
        await timers.advance(transaction, timer, null)
        return
      }
      const { schedule, timeZone } = set.definition
      const now = clock.now()
      const next = nextRun(schedule, timeZone, now)
      if (!(await timers.advance(transaction, timer, next?.atMs ?? null))) return
      await lockComputer(transaction, set)
      const [unfinished] = await actions.unfinishedRuns(set.id, transaction)
      if (unfinished) {
        log.warn(
          { computer: domainOf(set), set: set.id },
          'a backup set is due, but its last run has not ended',
        )
        return
      }
      const cancelAt = nextRun(schedule, timeZone, timer.dueAt - 1)?.cancelAtMs ?? null
      // A run that is late is better than none: its end has passed with the time that it was meant for.
      const isLate = cancelAt !== null && cancelAt <= now
      await actions.enter(set, 'run-set', {
        setId: set.id,
        cancelAt: isLate ? null : cancelAt,
        tables: transaction,
      })
    })
}
