import type { Figure, Log, ServiceMetrics } from '@palisade/platform'
import type { BackupFigures } from './backup-figures.ts'

const computerLabels = ['account', 'computer'] as const
type SetLabel = (typeof computerLabels)[number] | 'set'
type TaskLabel = (typeof computerLabels)[number] | 'task'

/** What a figure without labels is, which is always shown; no threshold is above or below it. */
const nobodyKnows: Figure<never>[] = [{ labels: {}, value: Number.NaN }]

/**
 * Shows at each scrape how old the good revisions are, and what is under way: of all together, or of each computer and set. While the store
 * cannot be read there are no such figures, and the log says why.
 */
export function observeBackups(
  metrics: ServiceMetrics,
  { figures, isByComputer, log }: { figures: BackupFigures; isByComputer: boolean; log: Log },
): void {
  const whenReadable = async <Label extends string>(
    read: () => Promise<Figure<Label>[]>,
    otherwise: Figure<Label>[] = [],
  ) => {
    try {
      return await read()
    } catch (err) {
      log.error({ err }, 'figures of backups could not be read for /metrics')
      return otherwise
    }
  }
  const age = 'palisade_backup_newest_good_revision_age_seconds'
  const unfinished = 'palisade_backup_unfinished'
  if (isByComputer) {
    metrics.observed<SetLabel>(
      age,
      'Age of the newest revision not known to be damaged, of the volume of the set that is worst off; +Inf without one',
      [...computerLabels, 'set'],
      () =>
        whenReadable(async () =>
          (await figures.ages()).map(
            ({ accountId: account, computerId: computer, set, ageSeconds: value }) => ({
              labels: { account, computer, set },
              value,
            }),
          ),
        ),
    )
    metrics.observed<TaskLabel>(
      unfinished,
      'Backups and restores that have not ended',
      [...computerLabels, 'task'],
      () =>
        whenReadable(async () =>
          (await figures.unfinished()).map(
            ({ accountId: account, computerId: computer, task, count: value }) => ({
              labels: { account, computer, task },
              value,
            }),
          ),
        ),
    )
    return
  }
  metrics.observed<never>(
    age,
    'Age of the newest revision not known to be damaged, of the volume of all backup sets that is worst off; +Inf without one, NaN without sets',
    [],
    () =>
      whenReadable(async () => {
        const ages = (await figures.ages())
          .filter(({ set }) => set !== '')
          .map(({ ageSeconds }) => ageSeconds)
        return ages.length > 0 ? [{ labels: {}, value: Math.max(...ages) }] : nobodyKnows
      }, nobodyKnows),
  )
  metrics.observed<'task'>(unfinished, 'Backups and restores that have not ended', ['task'], () =>
    whenReadable(async () => {
      const counted = await figures.unfinished()
      return (['backup', 'restore'] as const).map((task) => ({
        labels: { task },
        value: counted.reduce((sum, one) => sum + (one.task === task ? one.count : 0), 0),
      }))
    }),
  )
}
