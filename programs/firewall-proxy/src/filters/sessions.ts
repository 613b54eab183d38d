import type { SnapshotService, SnapshotSessionToken } from '@palisade/proxy-protocol'
import { parseUrlEncoded } from '@palisade/seclang'
import type { Exchange } from '../exchange/exchange.ts'
import { headerValues } from '../exchange/headers.ts'
import { handleViolation } from '../policy/handle-violation.ts'
import { ExceptionClients } from '../slow-clients/exception-clients.ts'
import type { Filter, FilterDependencies, FilterDescriptor } from './filter.ts'

/** A session is forgotten so long after its begin; it counts as new when it comes again. */
const sessionMs = 24 * 3600 * 1000

/**
 * Limits how many sessions one client may begin in a while. A session begins when a server sets its token, or when a token comes
 * that was not seen before.
 */
export const sessions: FilterDescriptor = {
  name: 'sessions',
  stage: 'plain-request',
  isShared: true,
  make: sessionsFilter,
}

function sessionsFilter({ checks }: SnapshotService, { memory }: FilterDependencies): Filter | undefined {
  const limits = checks?.sessions
  if (limits === undefined || limits.tokens.length === 0) return undefined
  const exceptions = new ExceptionClients(limits.exceptions)
  const counterOf = ({ clientAddress, runtime }: Exchange) =>
    memory.counter(`sessions of ${clientAddress}`, runtime.now(), limits.windowSeconds * 1000)
  const begin = (exchange: Exchange, tokens: readonly string[]) => {
    const now = exchange.runtime.now()
    for (const token of tokens) {
      if (memory.recall(keyOf(token), now) !== undefined) continue
      counterOf(exchange).add(1)
      memory.remember(keyOf(token), now + sessionMs)
    }
  }
  const isCounted = (exchange: Exchange) => exchange.mode !== 'off' && !exceptions.has(exchange.clientAddress)
  return {
    onRequest: (exchange) => {
      if (!isCounted(exchange)) return undefined
      const tokens = limits.tokens.flatMap((token) => tokensInRequest(exchange, token))
      const now = exchange.runtime.now()
      const isKnown = tokens.some((token) => memory.recall(keyOf(token), now) !== undefined)
      if (!isKnown && counterOf(exchange).count >= limits.sessions) {
        const detail = `The client began ${limits.sessions} sessions in ${limits.windowSeconds} seconds.`
        const answer = handleViolation(exchange, { attack: 'too-many-sessions-for-ip', detail })
        if (answer) return answer
      }
      begin(exchange, tokens)
      return undefined
    },
    onResponse: (exchange, head) => {
      if (!isCounted(exchange)) return undefined
      const cookies = headerValues(head.headers, 'set-cookie').map((cookie) => cookie.split(';', 1)[0] ?? '')
      begin(
        exchange,
        limits.tokens
          .filter((token) => token.in === 'cookie')
          .flatMap((token) => tokensInCookies(cookies, token)),
      )
      return undefined
    },
  }
}

function keyOf(token: string): string {
  return `session ${token}`
}

function tokensInRequest({ headers, target }: Exchange, token: SnapshotSessionToken): string[] {
  if (token.in === 'cookie') {
    return tokensInCookies(
      headerValues(headers, 'cookie').flatMap((value) => value.split(';')),
      token,
    )
  }
  const [path = '', query = ''] = target.split('?', 2)
  if (token.in === 'parameter') {
    return parseUrlEncoded(query, '&')
      .arguments.filter(({ name }) => isNamed(name, token))
      .map(({ name, value }) => `${name}=${value}`)
  }
  const at = path.toLowerCase().indexOf(`${token.name.toLowerCase()}${token.startDelimiter}`)
  if (at < 0) return []
  const value = path.slice(at + token.name.length + token.startDelimiter.length)
  return [`${token.name}=${value.split(token.endDelimiter || ';', 1)[0]}`]
}

/** @param cookies "name=value" each */
function tokensInCookies(cookies: readonly string[], token: SnapshotSessionToken): string[] {
  return cookies
    .map((cookie) => cookie.trim())
    .filter((cookie) => cookie.includes('=') && isNamed(cookie.slice(0, cookie.indexOf('=')), token))
    .filter((cookie) => !cookie.endsWith('='))
}

function isNamed(name: string, token: SnapshotSessionToken): boolean {
  const [lower, tokenName] = [name.toLowerCase(), token.name.toLowerCase()]
  if (token.by === 'whole') return lower === tokenName
  return token.by === 'prefix' ? lower.startsWith(tokenName) : lower.endsWith(tokenName)
}
