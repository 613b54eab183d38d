import { answer } from '@palisade/sdk'
import type { UseQueryOptions } from '@tanstack/react-query'
import { navigationAreas } from '../navigation-areas.ts'
import { kindsQuery } from '../pages/firewall-settings/kinds.ts'
import { pageQuery, readAll } from '../read-all.ts'
import { mayRead, mayReadAll, maySee } from '../rights.ts'
import type { Session } from '../session.ts'
import { texts as shared } from '../texts.ts'
import type { Target } from './results.ts'
import { texts } from './texts.ts'

/** The pages that the operator may see, by their names and by what else people call them. */
export function pageTargets(session: Session): readonly Target[] {
  const links = [
    { title: '', to: '/', label: shared.navigation.overview },
    ...navigationAreas.flatMap(({ title, links: ofArea }) =>
      ofArea.map(([to, label]) => ({ title, to: String(to), label })),
    ),
    { title: '', to: '/account', label: shared.navigation.account },
  ]
  return links
    .filter(({ to }) => maySee(session, to))
    .map(({ title, to, label }) => ({
      group: 'pages',
      label,
      detail: title,
      otherWords: otherWords[to] ?? '',
      to,
    }))
}

const otherWords: Readonly<Record<string, string>> = texts.otherWords

/** What is read once the search is open; each of what the operator may see. */
export function targetQueries(
  session: Session,
): readonly Pick<UseQueryOptions<readonly Target[]>, 'queryKey' | 'queryFn' | 'staleTime'>[] {
  const reads = [
    ['services', mayRead(session, 'firewall'), readServices],
    ['computers', mayRead(session, 'backup'), readComputers],
    ['domains', mayRead(session, 'email'), readDomains],
    ['operators', mayReadAll(session), readOperators],
  ] as const
  return reads
    .filter(([, isAllowed]) => isAllowed)
    .map(([name, , read]) => ({
      queryKey: ['search', name],
      queryFn: () => read(session),
      staleTime: 30_000,
    }))
}

/** Every kind of the firewall's settings that lies inside nothing; those inside a service are on its pages. */
export const settingTargetsQuery = {
  ...kindsQuery,
  select: (kinds: Awaited<ReturnType<typeof kindsQuery.queryFn>>): readonly Target[] =>
    kinds
      .filter(({ parent }) => parent === undefined)
      .map(({ title, description, path, sections, name }) => ({
        group: 'settings',
        label: title,
        detail: description,
        otherWords: [name, ...sections].join(' '),
        to: `/firewall/settings/${path}`,
      })),
}

async function readServices({ firewall }: Session): Promise<readonly Target[]> {
  const { data = {} } = await answer(
    firewall.GET('/restapi/v3.2/services', { params: { query: { parameters: ['name'] } } }),
  )
  return Object.keys(data).flatMap((name) => {
    const home = `/firewall/services/${encodeURIComponent(name)}`
    return withPages({ group: 'services', label: name, to: home }, [
      [texts.log, `/firewall/log?${new URLSearchParams({ service: name })}`],
      [texts.exceptions, `/firewall/protect?${new URLSearchParams({ service: name })}`],
      [texts.settings, `${home}/settings`],
    ])
  })
}

async function readComputers({ administration }: Session): Promise<readonly Target[]> {
  const accounts = await readAll((after) =>
    administration.GET('/backup/accounts', { params: { query: pageQuery(after) } }),
  )
  const lists = await Promise.all(
    accounts.map(async ({ id: account }) => {
      const computers = await readAll((after) =>
        administration.GET('/backup/accounts/{account}/computers', {
          params: { path: { account }, query: { ...pageQuery(after), limit: pageMax } },
        }),
      )
      return computers.map(({ id, name, deletedAt }) => ({ account, id, name, deletedAt }))
    }),
  )
  return lists
    .flat()
    .filter(({ deletedAt }) => deletedAt === null)
    .flatMap(({ account, id, name }) => {
      const home = `/backup/computers/${encodeURIComponent(account)}/${encodeURIComponent(id)}`
      const label = name === id ? id : `${name} (${id})`
      return withPages({ group: 'computers', label, detail: account, to: home }, [
        [texts.restore, `${home}/restore`],
        [texts.sets, `${home}/sets`],
        [texts.tasks, `${home}/tasks`],
        [texts.agent, `${home}/agent`],
      ])
    })
}

async function readDomains({ administration }: Session): Promise<readonly Target[]> {
  const accounts = await readAll((after) =>
    administration.GET('/email/accounts', { params: { query: pageQuery(after) } }),
  )
  const lists = await Promise.all(
    accounts.map(async ({ id, name }): Promise<readonly Target[]> => {
      const home = `/email/accounts/${encodeURIComponent(id)}`
      const domains = await readAll((after) =>
        administration.GET('/email/accounts/{account}/domains', {
          params: { path: { account: id }, query: { ...pageQuery(after), limit: pageMax } },
        }),
      )
      return [
        { group: 'domains', label: name, detail: texts.mailAccount, to: home },
        ...domains.map(
          (domain): Target => ({
            group: 'domains',
            label: domain.name,
            detail: name,
            to: `${home}/${encodeURIComponent(domain.name)}`,
          }),
        ),
      ]
    }),
  )
  return lists.flat()
}

async function readOperators({ administration }: Session): Promise<readonly Target[]> {
  const operators = await readAll((after) =>
    administration.GET('/operators', { params: { query: pageQuery(after) } }),
  )
  return operators.map(({ username, displayName }) => ({
    group: 'operators',
    label: username,
    detail: displayName === username ? '' : displayName,
    to: `/operators/${encodeURIComponent(username)}`,
  }))
}

/** The most that one call reads of a listing. */
const pageMax = 1_000

/** A target, and its pages, such as "files01: restore". */
function withPages(target: Target, pages: readonly (readonly [title: string, to: string])[]): Target[] {
  const of = `${target.label} ${target.detail ?? ''}`
  return [target, ...pages.map(([title, to]) => ({ ...target, label: `${target.label}: ${title}`, to, of }))]
}
