import type { SnapshotRequestLimits, SnapshotService } from '@palisade/proxy-protocol'
import type { Exchange, Violation } from '../exchange/exchange.ts'
import { headerValues } from '../exchange/headers.ts'
import { handleViolation } from '../policy/handle-violation.ts'
import type { Filter, FilterDependencies, FilterDescriptor } from './filter.ts'

/** " HTTP/1.1" and the end of the line. */
const lineRestBytes = 11

const cookieHeader = 'cookie'

/** ": " and the end of the line. */
const headerRestBytes = 4

/** Limits the sizes of what comes before the body, so that nobody overflows what servers set aside for it. */
export const requestLimits: FilterDescriptor = {
  name: 'request-limits',
  stage: 'plain-request',
  isShared: false,
  make: requestLimitsFilter,
}

function requestLimitsFilter(_: SnapshotService, { policy }: FilterDependencies): Filter | undefined {
  const limits = policy.snapshot?.requestLimits
  return (
    limits && {
      onRequest: (exchange) => {
        if (exchange.mode === 'off' || isSmall(exchange, limits)) return undefined
        for (const violation of exceeded(exchange, limits)) {
          const answer = handleViolation(exchange, violation)
          if (answer) return answer
        }
        return undefined
      },
    }
  )
}

/** A cheap first test: whether the request is so small that it exceeds no limit. Nearly all are, and need no further check. */
function isSmall({ request, headers, target }: Exchange, limits: SnapshotRequestLimits): boolean {
  let headBytes = (request.method ?? '').length + target.length + lineRestBytes
  if (headBytes > Math.min(limits.requestLineBytes, limits.urlBytes, limits.queryBytes)) return false
  for (let index = 0; index + 1 < headers.length; index += 2) {
    const [name = '', value = ''] = [headers[index], headers[index + 1]]
    const isCookie = name.length === cookieHeader.length && name.toLowerCase() === cookieHeader
    if (name.length > limits.headerNameBytes) return false
    if (isCookie ? !areFewCookies(value, limits) : value.length > limits.headerValueBytes) return false
    headBytes += name.length + value.length + headerRestBytes
  }
  return headBytes <= limits.headBytes && headers.length / 2 <= limits.headers
}

/** Whether the cookies in one header are few and short; where there are several headers, they are looked at one by one. */
function areFewCookies(
  value: string,
  { cookies, cookieNameBytes, cookieValueBytes }: SnapshotRequestLimits,
): boolean {
  let count = 0
  for (let start = 0; start <= value.length; count++) {
    const next = value.indexOf(';', start)
    const end = next < 0 ? value.length : next
    const sign = value.indexOf('=', start)
    const nameEnd = sign < 0 || sign > end ? end : sign
    if (nameEnd - start > cookieNameBytes || end - nameEnd > cookieValueBytes) return false
    start = end + 1
  }
  return count <= cookies / 2
}

function* exceeded(exchange: Exchange, limits: SnapshotRequestLimits): Generator<Violation> {
  const { request, headers } = exchange
  const url = exchange.target
  const queryAt = url.indexOf('?')
  const urlBytes = queryAt < 0 ? url.length : queryAt
  const queryBytes = queryAt < 0 ? 0 : url.length - queryAt - 1
  const lineBytes = (request.method ?? '').length + url.length + lineRestBytes
  let headBytes = lineBytes
  for (const part of headers) headBytes += part.length
  headBytes += (headers.length / 2) * headerRestBytes
  yield* over('url-length-exceeded', 'The URL', urlBytes, limits.urlBytes)
  yield* over('query-length-exceeded', 'The query', queryBytes, limits.queryBytes)
  yield* over('total-request-line-length-exceeded', 'The request line', lineBytes, limits.requestLineBytes)
  yield* over('total-request-length-exceeded', 'The request line and headers', headBytes, limits.headBytes)
  yield* exceededByHeaders(headers, limits)
  yield* exceededByCookies(headers, limits)
}

function* exceededByHeaders(headers: readonly string[], limits: SnapshotRequestLimits): Generator<Violation> {
  const count = headers.length / 2
  if (count > limits.headers)
    yield beyond('header-count-exceeded', `There are ${count} headers`, limits.headers)
  for (let index = 0; index + 1 < headers.length; index += 2) {
    const [name = '', value = ''] = [headers[index], headers[index + 1]]
    yield* over('header-name-length-exceeded', 'The name of a header', name.length, limits.headerNameBytes)
    // Cookies have limits of their own.
    if (value.length <= limits.headerValueBytes || name.toLowerCase() === cookieHeader) continue
    yield* over('header-value-length-exceeded', `The header ${name}`, value.length, limits.headerValueBytes)
  }
}

function* exceededByCookies(headers: readonly string[], limits: SnapshotRequestLimits): Generator<Violation> {
  const cookies = headerValues(headers, cookieHeader).flatMap((value) => value.split(';'))
  if (cookies.length > limits.cookies) {
    yield beyond('cookie-count-exceeded', `There are ${cookies.length} cookies`, limits.cookies)
  }
  for (const cookie of cookies) {
    const sign = cookie.indexOf('=')
    const name = (sign < 0 ? cookie : cookie.slice(0, sign)).trim()
    const value = sign < 0 ? '' : cookie.slice(sign + 1).trim()
    yield* over('cookie-name-length-exceeded', 'The name of a cookie', name.length, limits.cookieNameBytes)
    yield* over(
      'cookie-value-length-exceeded',
      'The value of a cookie',
      value.length,
      limits.cookieValueBytes,
    )
  }
}

function* over(attack: string, what: string, bytes: number, limit: number): Generator<Violation> {
  if (bytes > limit) yield beyond(attack, `${what} has ${bytes} bytes`, limit)
}

function beyond(attack: string, fact: string, limit: number): Violation {
  return { attack, detail: `${fact}; ${limit} are allowed.` }
}
