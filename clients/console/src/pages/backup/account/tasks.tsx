import { Button } from '@mantine/core'
import { answer, type BackupSchemas, shellWord } from '@palisade/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
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

const texts = all.tasks
/** Rows of the largest page that the history has. */
const pageLength = 50

type Item = BackupSchemas['schemas']['HistoryItem']

/** What was backed up and restored, of all computers of an account. */
export function AccountTasksPage() {
  return (
    <>
      <h1 className="page-title">{texts.title}</h1>
      <ChooseAccount>{(account) => <History key={account} account={account} />}</ChooseAccount>
    </>
  )
}

/** The same of one computer. */
export function ComputerTasksPage() {
  const { account, computer } = useComputer()
  return (
    <>
      <h1 className="page-title">{texts.title}</h1>
      <History key={computer} account={account} computer={computer} />
    </>
  )
}

function History({ account, computer }: { readonly account: string; readonly computer?: string }) {
  const { backup } = useSession()
  const read = async (after: string | undefined) => {
    const page = Number(after ?? 1)
    const query = {
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
  const below = computer === undefined ? '' : `/computers/${encodeURIComponent(computer)}`
  return (
    <>
      <Listing
        title={texts.title}
        empty={texts.empty}
        name={['backup', 'history', account, computer ?? '']}
        read={read}
        refetchMs={refreshMs * 2}
        idOf={({ action_id }) => action_id}
        columns={[
          [texts.task, (item) => <Task account={account} item={item} />],
          ...(computer === undefined ? [[texts.computer, computerOf] as const] : []),
          [texts.set, ({ backupset_name }) => backupset_name],
          [texts.started, ({ local_start }) => <Time at={local_start} />],
          [texts.ended, ({ local_end }) => local_end && <Time at={local_end} />],
          [texts.bytes, ({ bytes }) => bytesText(bytes)],
        ]}
      />
      <SameCall
        palisade={`palisade backup history --account ${shellWord(account)}${computer === undefined ? '' : ` --computer ${shellWord(computer)}`}`}
        path={`/backup/v1/accounts/${encodeURIComponent(account)}${below}/action_history`}
      />
    </>
  )
}

function computerOf({ computer_id }: Item): string {
  return computer_id
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
