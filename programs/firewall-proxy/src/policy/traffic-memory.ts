import { ExpiringMap } from './expiring-map.ts'

/** So many clients are remembered of each service; beyond them, those are forgotten that were met longest ago. */
const clientsMax = 100_000

/** How often something happened in the current window. */
export interface Counter {
  count: number
}

/** What is remembered of the clients of one service from one request to the next. Outlives snapshots. */
export class ServiceMemory {
  /** Until when all requests of a client are refused, by its address. */
  readonly blockedClients = new ExpiringMap<true>(clientsMax)
  readonly #counters = new ExpiringMap<Counter>(clientsMax)
  /** Sessions of which it is known that they began, by token. */
  readonly sessions = new ExpiringMap<true>(clientsMax)
  /** Since when it is known that cookies are protected; milliseconds since 1970. */
  cookiesProtectedSince: number | undefined

  /** The counter of something in its current window, which begins with the first that is counted. */
  count(key: string, now: number, windowMs: number): Counter {
    const known = this.#counters.get(key, now)
    if (known) return known
    const counter = { count: 0 }
    this.#counters.set(key, counter, now + windowMs)
    return counter
  }
}

/** What is remembered of all services. One proxy process has one. */
export class TrafficMemory {
  readonly #services = new Map<string, ServiceMemory>()

  of(service: string): ServiceMemory {
    const known = this.#services.get(service) ?? new ServiceMemory()
    this.#services.set(service, known)
    return known
  }
}
