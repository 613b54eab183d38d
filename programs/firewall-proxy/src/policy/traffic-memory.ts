import { hash } from 'node:crypto'
import { type CollectionStorage, MemoryCollectionStorage } from '@palisade/seclang'
import type { ClientMemory } from '../exchange/exchange.ts'

/** The only variable of each instance. */
const variable = 'count'

const never = Number.MAX_SAFE_INTEGER

/**
 * Where it is kept what is remembered. The storages are separate, since each drops its oldest entries when it is full: the many
 * clients must not push out the few services.
 */
export interface TrafficStorages {
  /** Of clients: how often they did something, and what follows from that. */
  readonly clients: CollectionStorage
  /** Which passwords were tried for which user names, as digests: many, which are soon forgotten. */
  readonly logIns: CollectionStorage
  /** Which clients are bound to which servers. */
  readonly bindings: CollectionStorage
  /** Logins that have ended before their time. */
  readonly logouts: CollectionStorage
  /** Of services themselves. */
  readonly services: CollectionStorage
}

/** How often something happened in the current window. */
export interface Counter {
  readonly count: number
  add(difference: number): void
}

/**
 * What is remembered of the clients of one service from one request to the next. Outlives snapshots. Where several processes carry
 * the traffic, they tell each other; each may be behind by a moment.
 */
export class ServiceMemory implements ClientMemory {
  readonly #service: string
  readonly #storage: CollectionStorage
  readonly #storages: TrafficStorages
  #cookiesProtectedSince: number | undefined

  constructor(service: string, storages: TrafficStorages) {
    this.#service = service
    this.#storage = storages.clients
    this.#storages = storages
  }

  /** What is remembered of log-ins; apart, so that tries without number push nothing else out. */
  get logIns(): Pick<ServiceMemory, 'remember' | 'recall' | 'counter'> {
    return new ServiceMemory(this.#service, { ...this.#storages, clients: this.#storages.logIns })
  }

  /** Since when it is known that cookies are protected: since now, where it was not. In milliseconds since 1970. */
  cookiesProtectedSince(now: number): number {
    if (this.#cookiesProtectedSince !== undefined) return this.#cookiesProtectedSince
    const { services } = this.#storages
    const key = 'cookies protected since'
    const entry = services.load(this.#service, key).get(variable)
    const since = entry === undefined ? now : Number(entry.value)
    if (entry === undefined) {
      const value = String(since)
      services.apply(this.#service, key, [{ kind: 'set', key: variable, value, expiresAt: never }])
    }
    this.#cookiesProtectedSince = since
    return since
  }

  /**
   * Remembers which server the clients go to that are known by this key.
   *
   * @param expiresAt in milliseconds since 1970; undefined for as long as there is room
   */
  bind(key: string, server: string, expiresAt: number = never): void {
    this.#storages.bindings.apply(this.#service, key, [
      { kind: 'set', key: variable, value: server, expiresAt },
    ])
  }

  /** Which server that is, and until when; undefined where it is not remembered. */
  boundTo(key: string, now: number): { readonly server: string; readonly expiresAt: number } | undefined {
    const entry = this.#storages.bindings.load(this.#service, key).get(variable)
    if (entry === undefined || now >= entry.expiresAt) return undefined
    return { server: entry.value, expiresAt: entry.expiresAt }
  }

  /**
   * Remembers that a login has ended.
   *
   * @param scope that of the services that share logins
   * @param expiresAt when it would have ended anyway; milliseconds since 1970
   */
  endLogin(scope: string, id: string, expiresAt: number): void {
    this.#storages.logouts.apply(scope, id, [{ kind: 'set', key: variable, value: '1', expiresAt }])
  }

  /** Whether a login has ended. */
  hasEnded(scope: string, id: string, now: number): boolean {
    const entry = this.#storages.logouts.load(scope, id).get(variable)
    return entry !== undefined && now < entry.expiresAt
  }

  /** Remembers a text until then; milliseconds since 1970. */
  remember(key: string, expiresAt: number, text = '1'): void {
    const change = { kind: 'set', key: variable, value: text, expiresAt } as const
    this.#storage.apply(this.#service, digestOf(key), [change])
  }

  /** What is remembered; undefined for nothing. */
  recall(key: string, now: number): string | undefined {
    return this.#entry(key, now)?.value
  }

  /** The counter of something in its current window, which begins with the first that is counted. */
  counter(key: string, now: number, windowMs: number): Counter {
    const entry = this.#entry(key, now)
    const [storage, service] = [this.#storage, this.#service]
    let count = Number(entry?.value ?? 0)
    const expiresAt = entry?.expiresAt ?? now + windowMs
    return {
      get count() {
        return count
      },
      add: (difference) => {
        count += difference
        storage.apply(service, digestOf(key), [
          // As a difference, since other workers and proxies may count the same at the same time.
          { kind: 'count', key: variable, difference, now, expiresAt },
        ])
      },
    }
  }

  #entry(key: string, now: number) {
    const entry = this.#storage.load(this.#service, digestOf(key)).get(variable)
    return entry !== undefined && now < entry.expiresAt ? entry : undefined
  }
}

/** Keys have addresses and the tokens of sessions in them, and other proxies are told of them. */
function digestOf(key: string): string {
  return hash('sha256', key, 'base64url')
}

/** What is remembered of all services. */
export class TrafficMemory {
  readonly #storages: TrafficStorages
  readonly #services = new Map<string, ServiceMemory>()

  /** @param storages in the memory of this process by default */
  constructor(storages: TrafficStorages = inThisProcess()) {
    this.#storages = storages
  }

  of(service: string): ServiceMemory {
    const memory = this.#services.get(service) ?? new ServiceMemory(service, this.#storages)
    this.#services.set(service, memory)
    return memory
  }
}

function inThisProcess(): TrafficStorages {
  return {
    clients: new MemoryCollectionStorage(),
    logIns: new MemoryCollectionStorage(),
    bindings: new MemoryCollectionStorage(),
    logouts: new MemoryCollectionStorage(),
    services: new MemoryCollectionStorage(),
  }
}
