import { answer, type FirewallClient } from '@palisade/sdk'
import { filtersText, type LogFilters, type TimeRange, timesOf } from './log-filters.ts'

/** An entry as the table shows it. */
export interface LogEntry {
  readonly id: string
  /** In milliseconds since 1970. */
  readonly time: number
  readonly action: string
  readonly attack: string
  readonly rule: string
  readonly client: string
  readonly method: string
  readonly host: string
  readonly url: string
  readonly service: string
  readonly request: string
}

/** Where the next page begins: no later than that time, after so many entries of it that are here already. */
export interface Cursor {
  readonly to: number
  readonly skip: number
}

/** Some entries, newest first. */
export interface LogPage {
  readonly entries: readonly LogEntry[]
  readonly next: Cursor | undefined
}

/** How many entries one call reads. */
const pageEntries = 1_000

const shown = [
  ...['id', 'time', 'action', 'attack', 'rule', 'client-ip'],
  ...['method', 'host', 'url', 'service-name', 'request-id'],
]

/** Reads entries of the web firewall log. @param appId as the log calls the service that is asked for */
export async function readEntries(
  firewall: FirewallClient,
  filters: LogFilters,
  appId: string | undefined,
  cursor: Cursor | undefined,
): Promise<LogPage> {
  const times = timesOf(filters)
  const entries = await readEntriesWithin(firewall, filters, appId, {
    range: { from: times.from, to: cursor?.to ?? times.to },
    offset: cursor?.skip ?? 0,
    limit: pageEntries,
  })
  const last = entries.at(-1)
  if (entries.length < pageEntries || last === undefined) return { entries, next: undefined }
  const sameTime = entries.filter(({ time }) => time === last.time).length
  const before = cursor?.to === last.time ? cursor.skip : 0
  return { entries, next: { to: last.time, skip: before + sameTime } }
}

/** Proxies and their workers tell of what they have found one after the other. */
const lateMs = 10_000

/**
 * The newest entries, among which are all that have come since others were read.
 *
 * @param newest of those; or when they were read
 * @returns undefined where so many have come that they are not all here
 */
export async function readNewest(
  firewall: FirewallClient,
  filters: LogFilters,
  appId: string | undefined,
  newest: number,
): Promise<readonly LogEntry[] | undefined> {
  const range = { from: newest - lateMs, to: undefined }
  const entries = await readEntriesWithin(firewall, filters, appId, { range, offset: 0, limit: pageEntries })
  const isWhole = entries.length < pageEntries || (entries.at(-1)?.time ?? newest) <= newest
  return isWhole ? entries : undefined
}

/** Reads entries from one moment to another, newest first. @param span how many are passed over, and how many are read at most */
export async function readEntriesWithin(
  firewall: FirewallClient,
  filters: LogFilters,
  appId: string | undefined,
  { range, offset, limit }: { range: TimeRange; offset: number; limit: number },
): Promise<LogEntry[]> {
  const query = { filters: filtersText(filters, range, appId), parameters: shown, limit, offset }
  const { data = {} } = await answer(
    firewall.GET('/restapi/v3.2/web-firewall-logs', {
      params: { query },
    }),
  )
  return Object.entries(data).map(([id, entry]) => ({
    id,
    time: Number(entry.time),
    action: entry.action ?? '',
    attack: entry.attack ?? '',
    rule: entry.rule ?? '',
    client: entry['client-ip'] ?? '',
    method: entry.method ?? '',
    host: entry.host ?? '',
    url: entry.url ?? '',
    service: entry['service-name'] ?? '',
    request: entry['request-id'] ?? '',
  }))
}
