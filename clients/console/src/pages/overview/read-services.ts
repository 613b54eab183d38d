import { answer } from '@palisade/sdk'
import type { Session } from '../../session.ts'

/** How many things of a service are as they should be, and how many are not. */
export interface Tally {
  readonly good: number
  readonly bad: number
}

/** Accounts whose things are counted; the pages of the services show those of all. */
const accountsMax = 20
const first = { limit: 1000 }

/** Applications that the firewall protects; those of which a server is down are bad. */
export async function readApplications(
  { firewall }: Session,
  conditions: readonly { readonly condition: string; readonly subject: string }[],
): Promise<Tally> {
  const { data = {} } = await answer(
    firewall.GET('/restapi/v3.2/services', { params: { query: { parameters: ['name'] } } }),
  )
  const down = new Set(
    conditions
      .filter(({ condition }) => condition === 'server-down')
      .map(({ subject }) => /^server ([^/]+)/.exec(subject)?.[1]),
  )
  const names = Object.keys(data)
  const bad = names.filter((name) => down.has(name)).length
  return { good: names.length - bad, bad }
}

/** Computers that are backed up; those whose agent is away are bad. */
export async function readComputers({ administration }: Session): Promise<Tally> {
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
  const good = computers.filter(({ online }) => online).length
  return { good, bad: computers.length - good }
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
