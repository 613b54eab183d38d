import { createHash, createHmac } from 'node:crypto'
import type { SnapshotPersistence } from '@palisade/proxy-protocol'
import type { ResponseHead } from '../exchange/answer.ts'
import { clientNetwork } from '../exchange/client-network.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { cookieValue, headerValue, headerValues } from '../exchange/headers.ts'
import { parseSetCookie } from '../exchange/set-cookie.ts'
import type { ServiceMemory } from '../policy/traffic-memory.ts'
import type { BalancedServer } from './balance.ts'

/** Keeps clients with their servers. */
export interface Persistence {
  /** The servers to which a client is bound, the best first; undefined for a client that is bound to none yet. */
  boundTo(exchange: Exchange): readonly BalancedServer[] | undefined
  /** Sees to it that the client comes back to the server that answered. */
  remember?(exchange: Exchange, answeredBy: BalancedServer, head: ResponseHead): void
}

/** Where it is remembered which clients are bound to which servers. */
export interface Bindings {
  readonly memory: Pick<ServiceMemory, 'bind' | 'boundTo'>
  /** Tells the content rules of a service apart. */
  readonly scope: string
}

/** How clients of a service stay with their servers. */
export function persistenceOf(
  settings: SnapshotPersistence,
  servers: readonly BalancedServer[],
  bindings: Bindings,
): Persistence {
  switch (settings.by) {
    case 'source-address':
      return byHash(servers, ({ clientAddress }) => clientNetwork(clientAddress, settings.prefixLength))
    case 'header':
      return byHash(servers, ({ headers }) => headerValue(headers, settings.name.toLowerCase()))
    case 'parameter':
      return byHash(servers, ({ target }) => parameterValue(target, settings.name))
    case 'cookie-insert':
      return byOwnCookie(servers, settings)
    case 'cookie-passive':
      return byServersCookie(servers, settings, bindings)
  }
}

/**
 * By rendezvous hashing: every process finds the same server for a client without having been told, and when a server is gone
 * only its own clients move. Nobody knows who was bound to a sticky server, so it gets no requests.
 */
function byHash(
  servers: readonly BalancedServer[],
  keyOf: (exchange: Exchange) => string | undefined,
): Persistence {
  const among = servers.filter(({ server }) => server.state === 'in-service' && !server.isBackup)
  return {
    boundTo(exchange) {
      const key = keyOf(exchange)
      if (key === undefined) return undefined
      return among
        .map((one) => ({ one, score: digestOf(`${placeOf(one)}\n${key}`) }))
        .sort((left, right) => (left.score < right.score ? 1 : -1))
        .map(({ one }) => one)
    },
  }
}

/**
 * By a cookie that names the server and the minute of the last request. The name is made with a key: whoever has the cookie could find
 * out the address behind a plain digest by trying all of them. It is set anew when a quarter of the idle time has passed.
 */
function byOwnCookie(
  servers: readonly BalancedServer[],
  settings: Extract<SnapshotPersistence, { by: 'cookie-insert' }>,
): Persistence {
  const { key = '' } = settings
  const tokenOf = (one: BalancedServer) => createHmac('sha256', key).update(placeOf(one)).digest('base64url')
  const byToken = new Map(servers.map((one) => [tokenOf(one).slice(0, tokenLength), one]))
  const tokens = new Map(Array.from(byToken, ([token, one]) => [one, token]))
  const attributes = [
    `Path=${settings.path}`,
    ...(settings.domain === undefined ? [] : [`Domain=${settings.domain}`]),
    ...(settings.maxAgeSeconds === undefined ? [] : [`Max-Age=${settings.maxAgeSeconds}`]),
    'HttpOnly',
  ].join('; ')
  const read = (exchange: Exchange) => {
    const [token = '', minute = ''] = (cookieValue(exchange.headers, settings.name) ?? '').split('.')
    const idleSeconds = (minuteOf(exchange) - Number.parseInt(minute, 36)) * 60
    const one = byToken.get(token)
    const counts = settings.idleSeconds === 0 || (idleSeconds >= 0 && idleSeconds <= settings.idleSeconds)
    return one && counts && takesBound(one) ? { one, idleSeconds } : undefined
  }
  return {
    boundTo(exchange) {
      const bound = read(exchange)
      return bound && [bound.one]
    },
    remember(exchange, answeredBy, head) {
      const bound = read(exchange)
      const isFresh =
        bound?.one === answeredBy &&
        (settings.idleSeconds === 0 || bound.idleSeconds * 4 < settings.idleSeconds)
      if (isFresh) return
      const value = `${tokens.get(answeredBy)}.${minuteOf(exchange).toString(36)}`
      const secure = exchange.isSecure ? '; Secure' : ''
      head.headers.push('Set-Cookie', `${settings.name}=${value}; ${attributes}${secure}`)
    },
  }
}

/**
 * By a cookie of the application: whoever sets it gets the requests that bring it. All processes remember it together; how long it
 * counts is written anew when a quarter of the idle time has passed.
 */
function byServersCookie(
  servers: readonly BalancedServer[],
  settings: Extract<SnapshotPersistence, { by: 'cookie-passive' }>,
  { memory, scope }: Bindings,
): Persistence {
  const byPlace = new Map(servers.map((one) => [placeOf(one), one]))
  const idleMs = settings.idleSeconds * 1000
  const keyOf = (value: string) => `${scope} ${digestOf(value)}`
  const keep = (value: string, one: BalancedServer, now: number) =>
    memory.bind(keyOf(value), placeOf(one), idleMs === 0 ? undefined : now + idleMs)
  return {
    boundTo({ headers, startedAt }) {
      const value = cookieValue(headers, settings.name)
      const bound = value === undefined ? undefined : memory.boundTo(keyOf(value), startedAt)
      if (value === undefined || bound === undefined) return undefined
      const one = byPlace.get(bound.server)
      if (one === undefined || !takesBound(one)) return undefined
      if (idleMs > 0 && (bound.expiresAt - startedAt) * 4 < idleMs * 3) keep(value, one, startedAt)
      return [one]
    },
    remember(exchange, answeredBy, { headers }) {
      for (const header of headerValues(headers, 'set-cookie')) {
        const cookie = parseSetCookie(header)
        if (cookie?.name === settings.name) keep(cookie.value, answeredBy, exchange.startedAt)
      }
    },
  }
}

const tokenLength = 16

function takesBound({ server }: BalancedServer): boolean {
  return server.state === 'in-service' || server.state === 'sticky'
}

function placeOf({ server }: BalancedServer): string {
  return `${server.host} ${server.port}`
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

function minuteOf({ startedAt }: Exchange): number {
  return Math.floor(startedAt / 60_000)
}

function parameterValue(target: string, name: string): string | undefined {
  const at = target.indexOf('?')
  return at < 0 ? undefined : (new URLSearchParams(target.slice(at + 1)).get(name) ?? undefined)
}
