import { shellWord } from '@palisade/sdk'

/** The times that the log can be limited to, up to now, in milliseconds. */
export const spans = {
  '15m': 15 * 60_000,
  '1h': 60 * 60_000,
  '24h': 24 * 60 * 60_000,
  '7d': 7 * 24 * 60 * 60_000,
} as const

const hourMs = 60 * 60_000
/** Who says when something was is some minutes out. */
const aroundMs = 10 * 60_000

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
  /** Ten minutes before and after a moment in the time zone of the browser, such as 2030-01-08T10:00; it counts where there is no `since`. */
  readonly around?: string
  /** Moments as well; they count where there is neither. */
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
    ...time('around'),
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
export function timesOf({ since, around, from, to }: LogFilters): TimeRange {
  if (since !== undefined) return { from: Date.now() - spans[since], to: undefined }
  const moment = momentIn(around)
  if (moment !== undefined) return { from: moment - aroundMs, to: moment + aroundMs }
  return { from: momentIn(from), to: momentIn(to) }
}

/** What somebody asks for who fills the form of filters: of the times only those that he has changed, where there are others. */
export function askedFor(form: LogFilters, shown: LogFilters): LogFilters {
  const { since, around, from, to, ...others } = form
  const ways: readonly LogFilters[] = [
    { ...(since && { since }) },
    { ...(around && { around }) },
    { ...(from && { from }), ...(to && { to }) },
  ]
  const given = ways.filter((way) => Object.keys(way).length > 0)
  const changed = given.find((way) =>
    Object.entries(way).some(([name, value]) => shown[name as keyof LogFilters] !== value),
  )
  return { ...others, ...(changed ?? given[0]) }
}

/** The filters with an hour before and after the moment that they ask for. */
export function withinAnHour({ around, ...others }: LogFilters): LogFilters {
  const moment = momentIn(around)
  if (moment === undefined) return others
  return { ...others, from: localText(moment - hourMs), to: localText(moment + hourMs) }
}

/** A moment as a field for it has it. */
function localText(at: number): string {
  return new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
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
