import { Badge, Button, Group, Loader } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { SameCall } from '../../components/command.tsx'
import { Failure } from '../../components/failure.tsx'
import { type LongColumn, LongTable } from '../../components/long-table.tsx'
import { texts as shared } from '../../texts.ts'
import { useSession } from '../../use-session.ts'
import './firewall.css'
import { Filters } from './filters.tsx'
import { type Cursor, hasNewer, type LogEntry, readEntries } from './log-entries.ts'
import { filtersText, type LogFilters, logOptions, timesOf, withinAnHour } from './log-filters.ts'
import { useServices } from './reads.ts'
import { texts as all } from './texts.ts'

const texts = all.log
const route = getRouteApi('/shell/firewall/log')
const time = new Intl.DateTimeFormat('en', {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
})

/** Whether there are newer entries is looked at after this time. */
const refreshMs = 5_000

const columns: readonly LongColumn<LogEntry>[] = [
  { heading: texts.time, show: (entry) => time.format(entry.time), className: 'log-time' },
  { heading: texts.action, show: (entry) => <ActionBadge action={entry.action} />, className: 'log-action' },
  { heading: texts.what, show: (entry) => <EntryLink entry={entry} />, className: 'log-what' },
  { heading: texts.rule, show: ({ rule }) => rule, className: 'log-rule log-more' },
  { heading: texts.client, show: ({ client }) => client, className: 'log-client log-more' },
  { heading: texts.request, show: requestLine, className: 'log-request log-more' },
  { heading: texts.service, show: ({ service }) => service, className: 'log-service log-more' },
]

/** The web firewall log: what was refused or would have been, newest first, as far back as one scrolls. */
export function LogPage() {
  const filters = route.useSearch()
  const services = useServices()
  if (services.isError) return <Failure error={services.error} tryAgain={() => void services.refetch()} />
  if (!services.data) return <Loader aria-label={shared.loading} />
  const named = services.data.find(({ name }) => name === filters.service)
  // A service that is gone was called by its name.
  const appId = filters.service === undefined ? undefined : (named?.appId ?? filters.service)
  return (
    <>
      <h1 className="page-title">{texts.title}</h1>
      <Filters filters={filters} services={services.data.map(({ name }) => name)} />
      <SameCall
        palisade={['palisade firewall logs web-firewall --limit 100', ...logOptions(filters, appId)].join(
          ' ',
        )}
        path={pathOf(filters, appId)}
      />
      {/* Last, since whoever goes through its rows by Tab comes to no end of them. */}
      <Entries filters={filters} appId={appId} />
    </>
  )
}

function Entries({ filters, appId }: { readonly filters: LogFilters; readonly appId: string | undefined }) {
  const { firewall } = useSession()
  const queries = useQueryClient()
  const name = ['firewall', 'log', filters, appId]
  const log = useInfiniteQuery({
    queryKey: name,
    queryFn: ({ pageParam }) => readEntries(firewall, filters, appId, pageParam),
    initialPageParam: undefined as Cursor | undefined,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  })
  const entries = useMemo(() => log.data?.pages.flatMap((page) => page.entries) ?? [], [log.data])
  const newest = entries[0]?.time ?? log.dataUpdatedAt
  const newer = useQuery({
    queryKey: ['firewall', 'newer', filters, appId, newest],
    queryFn: () => hasNewer(firewall, filters, appId, newest),
    enabled: log.isSuccess && timesOf(filters).to === undefined,
    refetchInterval: ({ state }) => (state.data === true ? false : refreshMs),
  })
  const { fetchNextPage, isFetchingNextPage } = log
  const loadMore = useCallback(() => {
    if (!isFetchingNextPage) void fetchNextPage()
  }, [fetchNextPage, isFetchingNextPage])
  if (log.isError) return <Failure error={log.error} tryAgain={() => void log.refetch()} />
  if (log.isPending) return <Loader aria-label={shared.loading} />
  return (
    <>
      <Group justify="space-between" mb="xs" mih={30}>
        <span>
          <span role="status">{texts.count(entries.length, log.hasNextPage)}</span>{' '}
          {entries.length > 0 && <span className="quiet">{texts.each}</span>}
        </span>
        {newer.data === true && (
          <Button size="xs" variant="default" onClick={() => void queries.resetQueries({ queryKey: name })}>
            {texts.newer}
          </Button>
        )}
      </Group>
      {entries.length === 0 ? (
        <Nothing filters={filters} />
      ) : (
        <LongTable
          title={texts.title}
          columns={columns}
          items={entries}
          idOf={({ id }) => id}
          hasMore={log.hasNextPage}
          loadMore={loadMore}
        />
      )}
    </>
  )
}

function Nothing({ filters }: { readonly filters: LogFilters }) {
  if (Object.keys(filters).length === 0) return <p>{texts.nothingYet}</p>
  if (filters.around === undefined) return <p>{texts.nothingFound}</p>
  return (
    <>
      <p>{texts.nothingAround}</p>
      <p>
        <Link to="/firewall/log" search={withinAnHour(filters)}>
          {texts.withinAnHour}
        </Link>
      </p>
      <p className="quiet">{texts.nothingIsLet}</p>
    </>
  )
}

/** What was done with a request, so that a look is enough. */
export function ActionBadge({ action }: { readonly action: string }) {
  const isLogged = action === 'LOG'
  return (
    <Badge variant="light" color={isLogged ? 'yellow' : 'red'} tt="none" className="word">
      {texts.actions[action as keyof typeof texts.actions] ?? action}
    </Badge>
  )
}

function EntryLink({ entry: { attack, rule, request, method, url } }: { readonly entry: LogEntry }) {
  const what = all.shortly(rule, attack)
  if (request === '') return what
  return (
    <>
      <Link to="/firewall/requests/$request" params={{ request }} title={attack}>
        {what}
      </Link>
      <span className="log-line">
        {method} {url}
      </span>
    </>
  )
}

function requestLine({ method, host, url }: LogEntry) {
  // The path first: it tells requests apart, and the end of a long line is not seen.
  return `${method} ${url} (${host})`
}

function pathOf(filters: LogFilters, appId: string | undefined): string {
  const query = new URLSearchParams({ limit: '100', filters: filtersText(filters, timesOf(filters), appId) })
  return `/firewall/restapi/v3.2/web-firewall-logs?${query}`
}
