import {
  type CounterName,
  countersByStatistics,
  deniedCounter,
  type LoggedEntry,
  type TrafficCounts,
} from '@palisade/proxy-protocol'
import type { Exchange } from '../exchange/exchange.ts'

type Counts = Partial<Record<CounterName, number>>

const methods: ReadonlyMap<string, CounterName> = new Map([
  ['GET', 'requests-get'],
  ['HEAD', 'requests-head'],
  ['POST', 'requests-post'],
  ['PUT', 'requests-put'],
  ['DELETE', 'requests-delete'],
])

const versions: Readonly<Record<string, CounterName>> = {
  '1.0': 'requests-http-1-0',
  '1.1': 'requests-http-1-1',
  '2.0': 'requests-http-2',
}

const statusClasses: readonly CounterName[] = [
  'responses-1xx',
  'responses-2xx',
  'responses-3xx',
  'responses-4xx',
  'responses-5xx',
]

const actions: Readonly<Record<string, CounterName>> = {
  DENY: 'attacks-denied',
  LOG: 'attacks-logged',
  CLOAK: 'attacks-cloaked',
  REDIRECT: 'attacks-redirected',
}

/** What the web firewall log calls a category, as the counters do: "SQL Attacks" is `sql-attacks`. */
const categories: ReadonlyMap<string, CounterName> = new Map(
  countersByStatistics['attack-stats'].map((counter) => [counter, counter]),
)

/** Counts what the traffic of one worker does, for the statistics of the management. */
export class TrafficCounting {
  #services = new Map<string, Counts>()

  /** @param service its name */
  add(service: string, counter: CounterName, value = 1): void {
    add(this.#of(service), counter, value)
  }

  /** A request's response was sent, or its client has gone. @param now in milliseconds since 1970 */
  ended(exchange: Exchange, now: number): void {
    const { request, runtime } = exchange
    const counts = this.#of(runtime.service.name)
    add(counts, 'requests')
    add(counts, methods.get(request.method ?? '') ?? 'requests-other-method')
    const version = versions[request.httpVersion]
    if (version !== undefined) add(counts, version)
    add(counts, 'bytes-received', exchange.bytesReceived)
    add(counts, 'bytes-sent', exchange.bytesSent)
    add(counts, 'time-taken-ms', now - exchange.startedAt)
    countResponse(counts, exchange)
  }

  /** @param entries what the web firewall log is told of one request or connection */
  attacks(service: string, entries: readonly LoggedEntry[]): void {
    if (entries.length === 0) return
    const counts = this.#of(service)
    if (entries.some(({ action }) => action === 'DENY')) add(counts, deniedCounter)
    for (const { action, 'attack-category': category } of entries) {
      add(counts, 'attacks')
      const done = actions[String(action)]
      if (done !== undefined) add(counts, done)
      add(counts, counterOf(String(category)))
    }
  }

  /** Everything that was counted since it was asked last. @param now in milliseconds since 1970 */
  take(now: number): TrafficCounts[] {
    const services = this.#services
    this.#services = new Map()
    return Array.from(services, ([service, counts]) => ({ time: now, service, counts }))
  }

  #of(service: string): Counts {
    const counts = this.#services.get(service) ?? {}
    this.#services.set(service, counts)
    return counts
  }
}

function countResponse(counts: Counts, exchange: Exchange): void {
  const { status, server, sentAt, answeredAt, interruption } = exchange
  if (server !== undefined && answeredAt === undefined) add(counts, 'server-failures')
  if (sentAt !== undefined && answeredAt !== undefined) add(counts, 'server-time-ms', answeredAt - sentAt)
  if (status === undefined) return
  add(counts, 'responses')
  const statusClass = statusClasses[Math.floor(status / 100) - 1]
  if (statusClass !== undefined) add(counts, statusClass)
  if (exchange.isFromCache) add(counts, 'responses-from-cache')
  else if (answeredAt !== undefined && interruption === undefined) add(counts, 'responses-from-server')
  else add(counts, 'responses-by-firewall')
  if (exchange.isCompressed) add(counts, 'responses-compressed')
}

function counterOf(category: string): CounterName {
  return categories.get(category.toLowerCase().replaceAll(' ', '-')) ?? 'other-attacks'
}

function add(counts: Counts, counter: CounterName, value = 1): void {
  counts[counter] = (counts[counter] ?? 0) + value
}
