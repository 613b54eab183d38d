import { answer } from '@palisade/sdk'
import type { Session } from '../../session.ts'
import { historyQuery } from '../backup/account/task-filters.ts'

/** Backups and restores of the last 24 hours. */
export interface RecentTasks {
  readonly done: number
  readonly failed: number
  /** Whether there are more of them than are counted. */
  readonly isMore: boolean
  /** An account in which some have failed; undefined where none has. */
  readonly failedIn: string | undefined
}

/** Requests of the last 24 hours. */
export interface RecentRequests {
  readonly requests: number
  readonly blocked: number
}

/** How many things of a service are as they should be, and how many are not. */
export interface Tally {
  readonly good: number
  readonly bad: number
}

/** Applications that the firewall protects. */
export interface Applications extends Tally {
  /** The names of those that are Passive: attacks on them are logged, and reach them. */
  readonly passive: readonly string[]
}

/** A computer as addresses of pages name it, and its name. */
export interface NamedComputer {
  readonly account: string
  readonly computer: string
  readonly name: string
}

/** Computers that are backed up. */
export interface Computers extends Tally {
  /** Those whose agent is away. */
  readonly offline: readonly NamedComputer[]
  /** Those that have an agent and no backup set, so that nothing of them is backed up by itself. */
  readonly withoutSet: readonly NamedComputer[]
}

/** Accounts whose things are counted; the pages of the services show those of all. */
const accountsMax = 20
const first = { limit: 1000 }

/** Applications that the firewall protects; those of which a server is down are bad. */
export async function readApplications(
  { firewall }: Session,
  conditions: readonly { readonly condition: string; readonly subject: string }[],
): Promise<Applications> {
  const query = { groups: ['Service', 'Basic Security'], parameters: ['name', 'status', 'mode'] }
  const { data = {} } = await answer(firewall.GET('/restapi/v3.2/services', { params: { query } }))
  const down = new Set(
    conditions
      .filter(({ condition }) => condition === 'server-down')
      .map(({ subject }) => /^server ([^/]+)/.exec(subject)?.[1]),
  )
  const names = Object.keys(data)
  const bad = names.filter((name) => down.has(name)).length
  const passive = Object.entries(data)
    .filter(([, service]) => service.status !== 'Off' && service['Basic Security']?.mode === 'Passive')
    .map(([name]) => name)
  return { good: names.length - bad, bad, passive }
}

/** What the traffic of all applications counted in the last 24 hours. */
export async function readRecentRequests({ firewall }: Session): Promise<RecentRequests> {
  const query = { counters: 'requests,attacks-denied', 'step-minutes': 60, steps: 24 }
  const { data } = await answer(firewall.GET('/restapi/v3.2/stats/history', { params: { query } }))
  const sumOf = (counter: string) =>
    Object.values(data.services).reduce(
      (sum, of) => sum + (of[counter] ?? []).reduce((total, value) => total + value, 0),
      0,
    )
  return { requests: sumOf('requests'), blocked: sumOf('attacks-denied') }
}

/** The largest page that the history of tasks has. */
const tasksMax = 50

/** How backups and restores of the last 24 hours have ended. */
export async function readRecentTasks({ administration, backup }: Session): Promise<RecentTasks> {
  const accounts = await answer(
    administration.GET('/backup/accounts', { params: { query: { limit: accountsMax } } }),
  )
  const count = async (account: string, status: 'SUCCESS' | 'ERROR') => {
    const query = { ...historyQuery({ status, since: '24h' }), page_size: tasksMax }
    const { list } = await answer(
      backup.GET('/v1/accounts/{account_id}/action_history', {
        params: { path: { account_id: account }, query },
      }),
    )
    return list.length
  }
  const counts = await Promise.all(
    accounts.items.map(async ({ id }) => {
      const [done, failed] = await Promise.all([count(id, 'SUCCESS'), count(id, 'ERROR')])
      return { id, done, failed }
    }),
  )
  return {
    done: counts.reduce((sum, { done }) => sum + done, 0),
    failed: counts.reduce((sum, { failed }) => sum + failed, 0),
    isMore: counts.some(({ done, failed }) => done === tasksMax || failed === tasksMax),
    failedIn: counts.find(({ failed }) => failed > 0)?.id,
  }
}

/** Computers that are backed up; those whose agent is away are bad. */
export async function readComputers({ administration }: Session): Promise<Computers> {
  const accounts = await answer(
    administration.GET('/backup/accounts', { params: { query: { limit: accountsMax } } }),
  )
  const lists = await Promise.all(
    accounts.items.map(({ id }) =>
      answer(
        administration.GET('/backup/accounts/{account}/computers', {
          params: { path: { account: id }, query: first },
        }),
      ),
    ),
  )
  const computers = lists
    .flatMap(({ items }) => items)
    .filter(({ isEnrolled, deletedAt }) => isEnrolled && deletedAt === null)
  const named = (some: typeof computers) =>
    some.map(({ account, id, name }) => ({ account, computer: id, name }))
  const offline = named(computers.filter(({ online }) => !online))
  return {
    good: computers.length - offline.length,
    bad: offline.length,
    offline,
    withoutSet: named(computers.filter(({ hasBackupSet }) => !hasBackupSet)),
  }
}

/** Domains of mail; those that are not verified are bad, those that are switched off are left out. */
export async function readDomains({ administration }: Session): Promise<Tally> {
  const accounts = await answer(
    administration.GET('/email/accounts', { params: { query: { limit: accountsMax } } }),
  )
  const lists = await Promise.all(
    accounts.items.map(({ id }) =>
      answer(
        administration.GET('/email/accounts/{account}/domains', {
          params: { path: { account: id }, query: first },
        }),
      ),
    ),
  )
  const domains = lists.flatMap(({ items }) => items).filter(({ status }) => status !== 'DISABLED')
  const good = domains.filter(({ status }) => status === 'VERIFIED').length
  return { good, bad: domains.length - good }
}

/** The campaign with the highest number; undefined without one. */
export async function readNewestCampaign({ administration }: Session) {
  const { items } = await answer(
    administration.GET('/awareness/campaigns', { params: { query: { limit: 1, order: '-id' } } }),
  )
  return items[0] ?? null
}
