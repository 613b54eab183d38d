import type { ServiceMetrics } from '@palisade/platform'
import { type BackupFigures, taskKinds } from './backup-figures.ts'

const computerLabels = ['account', 'computer'] as const
type SetLabel = (typeof computerLabels)[number] | 'set'
type TaskLabel = (typeof computerLabels)[number] | 'task'

/** Shows at each scrape how old the good revisions are, and what is under way: of all together, or of each computer and set. */
export function observeBackups(
  metrics: ServiceMetrics,
  {
    figures,
    connectedAgents,
    isByComputer,
  }: { figures: BackupFigures; connectedAgents: () => number; isByComputer: boolean },
): void {
  metrics.observed<never>(
    'palisade_backup_agents_enrolled',
    'Computers whose agents have enrolled, on all servers',
    [],
    async () => [{ labels: {}, value: await figures.enrolledAgents() }],
  )
  metrics.observed<never>(
    'palisade_backup_agents_connected',
    'Agents that are connected to this server',
    [],
    () => [{ labels: {}, value: connectedAgents() }],
  )
  metrics.observed<'task'>(
    'palisade_backup_oldest_unfinished_age_seconds',
    'Since when the backup or restore that was begun first has not ended; 0 when all have',
    ['task'],
    async () =>
      (await figures.oldestUnfinished()).map(({ task, ageSeconds: value }) => ({ labels: { task }, value })),
  )
  const age = 'palisade_backup_newest_good_revision_age_seconds'
  const unfinished = 'palisade_backup_unfinished'
  if (isByComputer) {
    metrics.observed<SetLabel>(
      age,
      'Age of the newest revision not known to be damaged, of the volume of the set that is worst off; +Inf without one',
      [...computerLabels, 'set'],
      async () =>
        (await figures.ages()).map(
          ({ accountId: account, computerId: computer, set, ageSeconds: value }) => ({
            labels: { account, computer, set },
            value,
          }),
        ),
    )
    metrics.observed<TaskLabel>(
      unfinished,
      'Backups and restores that have not ended',
      [...computerLabels, 'task'],
      async () =>
        (await figures.unfinished()).map(
          ({ accountId: account, computerId: computer, task, count: value }) => ({
            labels: { account, computer, task },
            value,
          }),
        ),
    )
    return
  }
  metrics.observed<never>(
    age,
    'Age of the newest revision not known to be damaged, of the volume of all backup sets that is worst off; +Inf without one, NaN without sets',
    [],
    async () => {
      const ages = (await figures.ages()).filter(({ set }) => set !== '').map(({ ageSeconds }) => ageSeconds)
      return ages.length > 0 ? [{ labels: {}, value: Math.max(...ages) }] : []
    },
  )
  metrics.observed<'task'>(unfinished, 'Backups and restores that have not ended', ['task'], async () => {
    const unfinished = await figures.unfinished()
    return taskKinds.map((task) => ({
      labels: { task },
      value: unfinished.reduce((sum, one) => sum + (one.task === task ? one.count : 0), 0),
    }))
  })
}
