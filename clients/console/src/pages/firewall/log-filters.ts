import { shellWord } from '@palisade/sdk'

/** The times that the log can be limited to, up to now, in milliseconds. */
export const spans = {
  '15m': 15 * 60_000,
  '1h': 60 * 60_000,
  '24h': 24 * 60 * 60_000,
  '7d': 7 * 24 * 60 * 60_000,
} as const

/** Where a text is looked for: a field of the log's entries. */
export const textFields = ['url', 'query-string', 'user-agent', 'host', 'referer'] as const

/** What was done with a request, as the log has it. */
export const actions = ['DENY', 'LOG', 'REDIRECT', 'CLOAK'] as const

/** Which entries of the web firewall log are shown: it stands in the address of the page. */
export interface LogFilters {
  readonly service?: string
  readonly action?: (typeof actions)[number]
  readonly client?: string
  readonly rule?: string
  /** Up to now; all times when left out. */
  readonly since?: keyof typeof spans
  /** Moments in the time zone of the browser, such as 2030-01-08T10:00; they count where there is no `since`. */
  readonly from?: string
  readonly to?: string
  readonly text?: string
  readonly in?: (typeof textFields)[number]
}

/** The filters that an address has; what makes no sense is left out. */
export function filtersIn(search: Readonly<Record<string, unknown>>): LogFilters {
  const text = (name: string) => {
    const value = search[name]
    const given = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
    return given === '' ? {} : { [name]: given }
  }
  const one = (name: string, values: readonly string[]) =>
    values.includes(String(search[name])) ? { [name]: search[name] } : {}
  const time = (name: string) => (Number.isNaN(Date.parse(String(search[name]))) ? {} : text(name))
  return {
    ...text('service'),
    ...one('action', actions),
    ...text('client'),
    ...text('rule'),
    ...one('since', Object.keys(spans)),
    ...time('from'),
    ...time('to'),
    ...text('text'),
    ...one('in', textFields),
  }
}

/** From when to when, in milliseconds since 1970. */
export interface TimeRange {
  readonly from: number | undefined
  readonly to: number | undefined
}

/** The times that filters ask for. */
export function timesOf({ since, from, to }: LogFilters): TimeRange {
  if (since !== undefined) return { from: Date.now() - spans[since], to: undefined }
  return { from: momentIn(from), to: momentIn(to) }
}

function momentIn(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Date.parse(text)
}

/**
 * The filters as the query parameter `filters` of `web-firewall-logs` has them.
 *
 * @param appId as the log calls the service that is asked for
 */
export function filtersText(filters: LogFilters, { from, to }: TimeRange, appId: string | undefined): string {
  const { action, client, rule, text, in: field = 'url' } = filters
  const asked = [
    appId === undefined ? undefined : filter('service-app-id', 'is equal to', appId),
    action && filter('action', 'in (comma-separated)', action),
    client && filter('client-ip', 'in (comma-separated)', client),
    rule && filter('rule', 'is equal to', rule),
    text && filter(field, 'regexp', expressionOf(text)),
    from === undefined && to === undefined
      ? undefined
      : filter('time', 'Time Range', String(from ?? ''), String(to ?? '')),
  ]
  return JSON.stringify(asked.filter((one) => one !== undefined))
}

/** The same as options of `palisade firewall logs web-firewall`. @param appId as of {@link filtersText} */
export function logOptions(filters: LogFilters, appId: string | undefined): string[] {
  const { action, client, rule, text, since, in: field = 'url' } = filters
  const { from, to } = timesOf(filters)
  const asked = [
    appId && `service-app-id=${appId}`,
    action && `action=${action}`,
    client && `client-ip=${client}`,
    rule && `rule=${rule}`,
    text && `${field}~${expressionOf(text)}`,
  ]
  const times = { since: since ?? momentText(from), until: momentText(to) }
  return [
    ...Object.entries(times).flatMap(([name, time]) => (time === undefined ? [] : [`--${name} ${time}`])),
    ...asked.flatMap((one) => (one ? [`--filter ${shellWord(one)}`] : [])),
  ]
}

function momentText(at: number | undefined): string | undefined {
  return at === undefined ? undefined : new Date(at).toISOString()
}

/** What finds a text, whatever it holds, in large and small letters. */
function expressionOf(text: string): string {
  return `(?i:${text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`)})`
}

function filter(field: string, operators: string, ...values: readonly string[]) {
  return { field, operators, values }
}
