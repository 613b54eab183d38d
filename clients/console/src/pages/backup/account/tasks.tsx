import { Button } from '@mantine/core'
import { answer, type BackupSchemas, shellWord } from '@palisade/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { SameCall } from '../../../components/command.tsx'
import { Failure } from '../../../components/failure.tsx'
import { Listing } from '../../../components/listing.tsx'
import { Time } from '../../../components/time.tsx'
import { bytesText } from '../../../format.ts'
import { mayChange } from '../../../rights.ts'
import { texts as shared } from '../../../texts.ts'
import { useSession } from '../../../use-session.ts'
import { type Backup, hasEnded, type Restore, refreshMs, root, useComputer } from '../data.ts'
import { Progress } from '../progress-bar.tsx'
import { texts as all } from '../texts.ts'
import { ChooseAccount } from './choose-account.tsx'
import { ChooseTasks } from './choose-tasks.tsx'
import { historyOptions, historyQuery, type TaskFilters, taskFiltersIn } from './task-filters.ts'

const texts = all.tasks
/** Rows of the largest page that the history has. */
const pageLength = 50

type Item = BackupSchemas['schemas']['HistoryItem']

/** What was backed up and restored, of all computers of an account. */
export function AccountTasksPage() {
  const filters = taskFiltersIn(useSearch({ strict: false }))
  return (
    <>
      <h1 className="page-title">{texts.title}</h1>
      <ChooseAccount>
        {(account) => <History key={account} account={account} filters={filters} />}
      </ChooseAccount>
    </>
  )
}

/** The same of one computer. */
export function ComputerTasksPage() {
  const { account, computer } = useComputer()
  const filters = taskFiltersIn(useSearch({ strict: false }))
  return (
    <>
      <h1 className="page-title">{texts.title}</h1>
      <History key={computer} account={account} computer={computer} filters={filters} />
    </>
  )
}

function History({
  account,
  computer,
  filters,
}: {
  readonly account: string
  readonly computer?: string
  readonly filters: TaskFilters
}) {
  const { backup } = useSession()
  const read = async (after: string | undefined) => {
    const page = Number(after ?? 1)
    const query = {
      ...historyQuery(filters),
      page,
      page_size: pageLength,
      order_by: 'LOCAL_START' as const,
      order_dir: 'DESC' as const,
    }
    const { list } = await answer(
      computer === undefined
        ? backup.GET('/v1/accounts/{account_id}/action_history', {
            params: { path: { account_id: account }, query },
          })
        : backup.GET('/v1/accounts/{account_id}/computers/{computer_id}/action_history', {
            params: { path: { account_id: account, computer_id: computer }, query },
          }),
    )
    return { items: list, next: list.length < pageLength ? null : String(page + 1) }
  }
  const isFiltered = Object.keys(filters).length > 0
  const below = computer === undefined ? '' : `/computers/${encodeURIComponent(computer)}`
  return (
    <>
      <ChooseTasks filters={filters} />
      <Listing
        title={texts.title}
        empty={isFiltered ? texts.emptyFiltered : <NothingYet account={account} />}
        name={['backup', 'history', account, computer ?? '', filters]}
        read={read}
        refetchMs={refreshMs * 2}
        idOf={({ action_id }) => action_id}
        columns={[
          [texts.task, (item) => <Task account={account} item={item} />],
          ...(computer === undefined
            ? [[texts.computer, (item: Item) => <ComputerLink account={account} item={item} />] as const]
            : []),
          [texts.set, ({ backupset_name }) => backupset_name],
          [texts.started, ({ local_start }) => <Time at={local_start} />],
          [texts.ended, ({ local_end }) => local_end && <Time at={local_end} />],
          [texts.bytes, ({ bytes }) => bytesText(bytes)],
        ]}
      />
      <SameCall
        palisade={`palisade backup history --account ${shellWord(account)}${computer === undefined ? '' : ` --computer ${shellWord(computer)}`}${historyOptions(filters)}`}
        path={`/backup/v1/accounts/${encodeURIComponent(account)}${below}/action_history${isFiltered ? `?${new URLSearchParams(historyQuery(filters))}` : ''}`}
      />
    </>
  )
}

function NothingYet({ account }: { readonly account: string }) {
  return (
    <>
      {texts.empty}{' '}
      <Link className="link" to="/backup/computers" search={{ account }}>
        {texts.toComputers}
      </Link>
    </>
  )
}

function ComputerLink({ account, item }: { readonly account: string; readonly item: Item }) {
  const { computer_id: computer } = item
  return (
    <Link className="link" to="/backup/computers/$account/$computer" params={{ account, computer }}>
      {computer}
    </Link>
  )
}

/** What it was, and how it ended; while it runs, how far it is. */
function Task({ account, item }: { readonly account: string; readonly item: Item }) {
  const { action_id: id, computer_id: computer, type, status } = item
  const isRestore = type === 'RESTORE'
  const runs = !hasEnded({ state: status })
  return (
    <>
      {isRestore ? (
        <Link
          className="link"
          to="/backup/computers/$account/$computer/restores/$restore"
          params={{ account, computer, restore: id }}
        >
          {texts.types[type]}
        </Link>
      ) : (
        texts.types[type]
      )}
      : {texts.states[status]}
      {(runs || status === 'ERROR') && <Details account={account} computer={computer} id={id} type={type} />}
    </>
  )
}

/** Progress of a task that runs, and the reason of one that has failed. */
function Details({
  account,
  computer,
  id,
  type,
}: {
  readonly account: string
  readonly computer: string
  readonly id: string
  readonly type: Item['type']
}) {
  const session = useSession()
  const { backup: client } = session
  const queries = useQueryClient()
  const kind = type === 'RESTORE' ? 'restores' : 'backups'
  const params = { path: { account_id: account, computer_id: computer, id } }
  const { data } = useQuery({
    queryKey: ['backup', 'task', account, computer, id],
    queryFn: (): Promise<Backup | Restore> =>
      kind === 'restores'
        ? answer(client.GET(`${root}/restores/{id}`, { params }))
        : answer(client.GET(`${root}/backups/{id}`, { params })),
    refetchInterval: ({ state }) => (state.data && hasEnded(state.data) ? false : refreshMs),
  })
  const cancellation = useMutation({
    mutationFn: () =>
      answer(
        kind === 'restores'
          ? client.POST(`${root}/restores/{id}/cancel`, { params })
          : client.POST(`${root}/backups/{id}/cancel`, { params }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['backup'] }),
  })
  if (data === undefined) return null
  if (hasEnded(data)) return data.error && <p className="quiet note">{data.error.message}</p>
  return (
    <>
      <Progress task={data} />
      {cancellation.error && <Failure error={cancellation.error} title={shared.refused} />}
      {mayChange(session, 'backup', account) && (
        <Button
          variant="default"
          size="xs"
          loading={cancellation.isPending}
          disabled={data.state === 'CANCELING'}
          onClick={() => cancellation.mutate()}
        >
          {shared.cancel}
        </Button>
      )}
    </>
  )
}
