import { Badge, Button, Checkbox, Group, Loader } from '@mantine/core'
import '@mantine/core/styles/Checkbox.css'
import '@mantine/core/styles/InlineInput.css'
import {
  type InfiniteData,
  keepPreviousData,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useCallback, useMemo, useState } from 'react'
import { SameCall } from '../../components/command.tsx'
import { Failure } from '../../components/failure.tsx'
import { type LongColumn, LongTable } from '../../components/long-table.tsx'
import { texts as shared } from '../../texts.ts'
import { useSession } from '../../use-session.ts'
import './firewall.css'
import { Filters } from './filters.tsx'
import { type Cursor, type LogEntry, type LogPage as Page, readEntries, readNewest } from './log-entries.ts'
import { filtersText, type LogFilters, logOptions, timesOf, withinAnHour } from './log-filters.ts'
import { type LoggedRequest, requestsOf, withNewer } from './log-requests.ts'
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

/** Whether there are newer entries is looked at after this time; sooner where they are shown as they come. */
const refreshMs = { asked: 5_000, following: 2_000 }

const columns: readonly LongColumn<LoggedRequest>[] = [
  { heading: texts.time, show: ({ telling }) => time.format(telling.time), className: 'log-time' },
  {
    heading: texts.action,
    show: ({ telling }) => <ActionBadge action={telling.action} />,
    className: 'log-action',
  },
  { heading: texts.what, show: (request) => <RequestLink request={request} />, className: 'log-what' },
  { heading: texts.rule, show: rulesText, className: 'log-rule log-more' },
  { heading: texts.client, show: ({ telling }) => telling.client, className: 'log-client log-more' },
  { heading: texts.request, show: ({ telling }) => requestLine(telling), className: 'log-request log-more' },
  { heading: texts.service, show: ({ telling }) => telling.service, className: 'log-service log-more' },
]

/** The web firewall log by requests: what was refused or would have been, newest first, as far back as one scrolls. */
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
  const requests = useMemo(() => requestsOf(entries, all.isSum), [entries])
  const [isFollowing, setFollowing] = useState(false)
  const hasNewest = timesOf(filters).to === undefined
  const newest = entries[0]?.time ?? log.dataUpdatedAt
  const show = (latest: readonly LogEntry[] | null) => {
    queries.setQueryData<InfiniteData<Page>>(name, (data) => data && withLatest(data, latest))
    if (latest === null) void queries.invalidateQueries({ queryKey: name })
  }
  const latest = useQuery({
    queryKey: ['firewall', 'latest', filters, appId],
    queryFn: async () => {
      const read = (await readNewest(firewall, filters, appId, newest)) ?? null
      if (isFollowing) show(read)
      return read
    },
    enabled: log.isSuccess && hasNewest,
    refetchInterval: refreshMs[isFollowing ? 'following' : 'asked'],
    gcTime: 0,
  }).data
  const newer = useMemo(() => newerOf(entries, latest), [entries, latest])
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
          <span role="status">{texts.count(requests.length, entries.length, log.hasNextPage)}</span>{' '}
          {entries.length > 0 && <span className="quiet">{texts.each}</span>}
        </span>
        <Group gap="md">
          {!isFollowing && newer?.length !== 0 && (
            <Button size="xs" variant="default" onClick={() => show(latest ?? null)}>
              {newer === null ? texts.manyNewer : texts.newer(newer.length)}
            </Button>
          )}
          {hasNewest && (
            <Checkbox
              label={texts.follow}
              checked={isFollowing}
              onChange={({ currentTarget }) => setFollowing(currentTarget.checked)}
            />
          )}
        </Group>
      </Group>
      {entries.length === 0 ? (
        <Nothing filters={filters} />
      ) : (
        <LongTable
          title={texts.title}
          columns={columns}
          items={requests}
          idOf={({ telling }) => telling.id}
          hasMore={log.hasNextPage}
          loadMore={loadMore}
        />
      )}
    </>
  )
}

/** Entries that are not shown yet; null where there are too many to add. */
function newerOf(entries: readonly LogEntry[], read: readonly LogEntry[] | null | undefined) {
  if (read === undefined || read === null) return read === null ? null : []
  // Very many may be shown; those that are older than what was read are not among it.
  const oldest = read.at(-1)?.time ?? Number.POSITIVE_INFINITY
  const end = entries.findIndex(({ time: at }) => at < oldest)
  const ids = new Set(entries.slice(0, end === -1 ? entries.length : end).map(({ id }) => id))
  return read.filter(({ id }) => !ids.has(id))
}

/** What is shown with the latest entries; where not all of them are here, what is shown first is read anew. */
function withLatest(data: InfiniteData<Page>, latest: readonly LogEntry[] | null): InfiniteData<Page> {
  const [first = { entries: [], next: undefined }, ...others] = data.pages
  if (latest === null) return { pages: [first], pageParams: data.pageParams.slice(0, 1) }
  return { ...data, pages: [{ ...first, entries: withNewer(first.entries, latest) }, ...others] }
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

/** What was found, in the words of each kind once, leading to why. */
function RequestLink({
  request: {
    telling: { attack, request, method, url },
    findings,
  },
}: {
  readonly request: LoggedRequest
}) {
  const what = all.allShortly(findings)
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

function rulesText({ telling, findings }: LoggedRequest): string {
  return texts.andMoreRules(telling.rule, new Set(findings.map(({ rule }) => rule)).size - 1)
}

function requestLine({ method, host, url }: LogEntry) {
  // The path first: it tells requests apart, and the end of a long line is not seen.
  return `${method} ${url} (${host})`
}

function pathOf(filters: LogFilters, appId: string | undefined): string {
  const query = new URLSearchParams({ limit: '100', filters: filtersText(filters, timesOf(filters), appId) })
  return `/firewall/restapi/v3.2/web-firewall-logs?${query}`
}
