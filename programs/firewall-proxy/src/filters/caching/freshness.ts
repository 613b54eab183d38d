import type { SnapshotCaching } from '@palisade/proxy-protocol'
import type { ResponseHead } from '../../exchange/answer.ts'
import { headerValues } from '../../exchange/headers.ts'

/** Statuses that may be kept without being told (RFC 9110, section 15.1), and those of them that are errors. */
const keptStatuses = new Set([200, 203, 300, 301, 308])
const keptErrors = new Set([404, 405, 410, 414, 501])

/** Directives by name in lower case, `true` for those without a value. */
export type Directives = ReadonlyMap<string, string | true>

/**
 * What `Cache-Control` says (RFC 9111, section 5.2). Of a directive that is there twice, the first counts (section 4.2.1).
 *
 * @param headers names and values in turn
 */
export function directivesOf(headers: readonly string[]): Directives {
  const directives = new Map<string, string | true>()
  const pattern = /([^\s,=;]+)\s*(?:=\s*(?:"([^"]*)"|([^\s,;"]*)))?/g
  for (const [, name = '', quoted, plain] of headerValues(headers, 'cache-control')
    .join(',')
    .matchAll(pattern)) {
    const key = name.toLowerCase()
    if (!directives.has(key)) directives.set(key, quoted ?? plain ?? true)
  }
  return directives
}

/**
 * For how long an answer may be kept for everybody, in seconds; undefined when it may not. What is private, sets cookies or differs
 * in ways that requests do not show never is, whatever is configured.
 *
 * @param now in milliseconds since 1970 @param isForOne whether it may be for one client alone unless
 * the server says otherwise
 */
export function freshSeconds(
  head: ResponseHead,
  settings: SnapshotCaching,
  { now, isForOne }: { readonly now: number; readonly isForOne: boolean },
): number | undefined {
  const { status, headers } = head
  const directives = directivesOf(headers)
  const has = (name: string) => headerValues(headers, name).length > 0
  if (!keptStatuses.has(status) && !(settings.keepsErrors && keptErrors.has(status))) return undefined
  if (directives.has('private') || has('set-cookie') || has('content-range')) return undefined
  if (headerValues(headers, 'vary').some((value) => value.includes('*'))) return undefined
  if (isForOne && !directives.has('public') && !directives.has('s-maxage')) return undefined
  if (settings.ignoresResponseHeaders) return settings.ageSeconds
  if (directives.has('no-store') || directives.has('no-cache')) return undefined
  if (directives.size === 0 && headerValues(headers, 'pragma').some((value) => /no-cache/i.test(value)))
    return undefined
  const fresh = (lifetime(headers, directives, now) ?? settings.ageSeconds) - ageOf(headers)
  return fresh > 0 ? fresh : undefined
}

/** What the server says, in seconds; undefined when it says nothing. */
function lifetime(headers: readonly string[], directives: Directives, now: number): number | undefined {
  for (const name of ['s-maxage', 'max-age']) {
    const value = directives.get(name)
    if (value !== undefined) return /^\d+$/.test(String(value)) ? Number(value) : 0
  }
  const [expires] = headerValues(headers, 'expires')
  if (expires === undefined) return undefined
  const [date = ''] = headerValues(headers, 'date')
  const from = httpDate(date)
  return (httpDate(expires) - (Number.isNaN(from) ? now : from)) / 1000 || 0
}

/**
 * A moment in milliseconds since 1970; NaN for what is no date of HTTP (RFC 9110, section 5.6.7), such as a number of seconds, which
 * `Date.parse` takes for a year.
 */
function httpDate(text: string): number {
  return /^(?:mon|tue|wed|thu|fri|sat|sun)/i.test(text) ? Date.parse(text) : Number.NaN
}

/** How long others have kept it. */
function ageOf(headers: readonly string[]): number {
  const [age = ''] = headerValues(headers, 'age')
  return /^\d+$/.test(age) ? Number(age) : 0
}
