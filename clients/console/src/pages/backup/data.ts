import {
  answer,
  type BackupClient,
  type BackupSchemas,
  type ComputerPath,
  eachItem,
  shellWord,
} from '@palisade/sdk'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { mayChange } from '../../rights.ts'
import type { Session } from '../../session.ts'
import { useSession } from '../../use-session.ts'

type Schemas = BackupSchemas['schemas']
/** A computer, with whether its agent is connected. */
export type Computer = Schemas['Computer']
/** A revision of one volume; sizes are bytes. */
export type Revision = Schemas['RevisionDetails']
/** A restore as virtual disks or as a machine, or one that is made for a proof. */
export type Restore = Schemas['Restore']
/** A backup of one source; a run of a set has one for each volume. */
export type Backup = Schemas['Backup']
/** A backup set, with its last run, its last proof and when it runs next. */
export type BackupSet = Schemas['BackupSet']
/** A disk, volume or image on a computer. */
export type Source = Schemas['BackupSource']

/** What the addresses of the backup service begin with. */
export const root = '/v2/accounts/{account_id}/computers/{computer_id}'

/** What runs is looked at again after this time. */
export const refreshMs = 2_000

const computerRoute = getRouteApi('/shell/backup/computers/$account/$computer')

/** The computer that a page below its frame is about, and who calls. */
export interface AtComputer {
  readonly account: string
  readonly computer: string
  readonly client: BackupClient
  readonly path: ComputerPath
}

/** Whatever a page below the frame of a computer calls with. */
export function useComputer(): AtComputer {
  const { account, computer } = computerRoute.useParams()
  const { backup } = useSession()
  return { account, computer, client: backup, path: { account_id: account, computer_id: computer } }
}

/** The options that name a computer in a command line. */
export function computerOptions({ account, computer }: Pick<AtComputer, 'account' | 'computer'>): string {
  return `--account ${shellWord(account)} --computer ${shellWord(computer)}`
}

/** Whether whoever looks may back up, restore and change what the computer of the page has. */
export function useMayChange(): boolean {
  const { account } = useComputer()
  return mayChange(useSession(), 'backup', account)
}

/** The accounts that the operator may see. */
export function accountsQuery({ administration }: Session) {
  return queryOptions({
    queryKey: ['backup', 'accounts'],
    async queryFn() {
      const accounts: string[] = []
      const pages = eachItem((after) =>
        administration.GET('/backup/accounts', {
          params: { query: { limit: 100, ...(after ? { after } : {}) } },
        }),
      )
      for await (const { id } of pages) accounts.push(id)
      return accounts
    },
  })
}

/** How the computer and its agent are. */
export function computerQuery({ client, path }: AtComputer) {
  return queryOptions({
    queryKey: ['backup', 'computer', path],
    queryFn: () => answer(client.GET(root, { params: { path } })),
    refetchInterval: refreshMs,
  })
}

/** Whether the agent of the computer is there; undefined until that is asked. */
export function useIsOnline(at: AtComputer): boolean | undefined {
  return useQuery(computerQuery(at)).data?.online
}

/** The newest revision of each volume. */
export function volumesQuery(client: BackupClient, path: ComputerPath) {
  return queryOptions({
    queryKey: ['backup', 'volumes', path],
    queryFn: () =>
      answer(client.GET(`${root}/restore/diskimage/standard/browse/volumes`, { params: { path } })),
  })
}

/** The volumes that the agent sees now. It is asked, so it has to be online. */
export function seenVolumesQuery({ client, path }: Pick<AtComputer, 'client' | 'path'>) {
  return queryOptions({
    queryKey: ['backup', 'discovered', path],
    queryFn: () => answer(client.GET(`${root}/backupsets/diskimage/volumes/browse`, { params: { path } })),
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  })
}

/** One revision. */
export function revisionQuery({ client, path }: AtComputer, id: number) {
  return queryOptions({
    queryKey: ['backup', 'revision', path, id],
    queryFn: () =>
      answer(client.GET(`${root}/revisions/{id}`, { params: { path: { ...path, id: String(id) } } })),
  })
}

/** All revisions of one volume, newest first. */
export function revisionsQuery({ client, path }: AtComputer, deviceId: string) {
  return queryOptions({
    queryKey: ['backup', 'revisions', path, deviceId],
    queryFn: () =>
      answer(
        client.GET(`${root}/restore/diskimage/standard/browse/revisions`, {
          params: { path, query: { deviceId } },
        }),
      ),
  })
}

/** The computer's backup sets. */
export function setsQuery({ client, path }: AtComputer) {
  return queryOptions({
    queryKey: ['backup', 'sets', path],
    queryFn: () => answer(client.GET(`${root}/backupsets`, { params: { path } })),
  })
}

/** One restore, looked at again until it has ended. */
export function restoreQuery({ client, path }: AtComputer, id: string) {
  return queryOptions({
    queryKey: ['backup', 'restore', path, id],
    queryFn: () => answer(client.GET(`${root}/restores/{id}`, { params: { path: { ...path, id } } })),
    refetchInterval: ({ state: { data } }) => (data && hasEnded(data) ? false : refreshMs / 2),
  })
}

/** Whether nothing of a task is to come. */
export function hasEnded({ state }: { readonly state: string }): boolean {
  return state !== 'RUNNING' && state !== 'CANCELING'
}

/** A source in one word, a partition as agents write it: `/dev/sdb#1`. */
export function sourceText(source: Source | string): string {
  if (typeof source === 'string') return source
  return source.partition === undefined ? source.path : `${source.path}#${source.partition}`
}

/** What people call a volume: its drive letter or label, and where it is. */
export function volumeName({ DriveLetter, Label, Source }: Revision): string {
  const name = [DriveLetter, Label].filter((part) => part !== '').join(' ')
  return name === '' ? sourceText(Source) : name
}
