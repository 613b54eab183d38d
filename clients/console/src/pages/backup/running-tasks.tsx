import { answer } from '@palisade/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { type Backup, hasEnded, type Restore, refreshMs, root, sourceText, useComputer } from './data.ts'
import { Progress } from './progress-bar.tsx'
import { texts as all } from './texts.ts'

const texts = all.running
/** Among so many newest ones are all that run: of a computer few can run at once. */
const lookedAt = 64

/** What the agent of the computer does now, and how far it is; without the restore that the page itself is about. */
export function RunningTasks() {
  const { client, path, account, computer } = useComputer()
  const shown = useParams({ strict: false }).restore
  const params = { path, query: { limit: lookedAt } }
  const { data } = useQuery({
    queryKey: ['backup', 'running', path],
    async queryFn() {
      const [backups, restores] = await Promise.all([
        answer(client.GET(`${root}/backups`, { params })),
        answer(client.GET(`${root}/restores`, { params })),
      ])
      return { backups: backups.filter(isRunning), restores: restores.filter(isRunning) }
    },
    refetchInterval: ({ state: { data: tasks } }) =>
      tasks && tasks.backups.length + tasks.restores.length > 0 ? refreshMs / 2 : refreshMs,
  })
  const restores = data?.restores.filter(({ id }) => id !== shown) ?? []
  if (data === undefined || data.backups.length + restores.length === 0) return null
  return (
    <section aria-label={texts.title} className="running-tasks">
      {data.backups.map((backup) => (
        <div key={backup.id}>
          <Link to="/backup/computers/$account/$computer/tasks" params={{ account, computer }}>
            {texts.backup(sourceText(backup.source))}
          </Link>
          <Progress task={backup} />
        </div>
      ))}
      {restores.map((restore) => (
        <div key={restore.id}>
          <Link
            to="/backup/computers/$account/$computer/restores/$restore"
            params={{ account, computer, restore: restore.id }}
          >
            {texts.restore(restore.machine?.name ?? restore.served?.socketPath ?? restore.destination.path)}
          </Link>
          <Progress task={restore} />
        </div>
      ))}
    </section>
  )
}

function isRunning(task: Backup | Restore): boolean {
  return !hasEnded(task)
}
