import type { CollectionStorage } from '@palisade/seclang'

/** The only variable of each instance. */
const variable = 'count'

/** How often something happened in the current window. */
export interface Counter {
  readonly count: number
  add(difference: number): void
}

/**
 * What is remembered of the clients of one service from one request to the next. Outlives snapshots. Where several processes carry
 * the traffic, they tell each other; each may be behind by a moment.
 */
export class ServiceMemory {
  readonly #service: string
  readonly #storage: CollectionStorage
  /** Since when it is known that cookies are protected; milliseconds since 1970. */
  cookiesProtectedSince: number | undefined

  constructor(service: string, storage: CollectionStorage) {
    this.#service = service
    this.#storage = storage
  }

  /** Remembers something until then; milliseconds since 1970. */
  remember(key: string, expiresAt: number): void {
    this.#storage.apply(this.#service, key, [{ kind: 'set', key: variable, value: '1', expiresAt }])
  }

  /** Whether it is remembered. */
  remembers(key: string, now: number): boolean {
    return this.#known(key, now) !== undefined
  }

  /** The counter of something in its current window, which begins with the first that is counted. */
  counter(key: string, now: number, windowMs: number): Counter {
    const known = this.#known(key, now)
    const [storage, service] = [this.#storage, this.#service]
    let count = Number(known?.value ?? 0)
    const expiresAt = known?.expiresAt ?? now + windowMs
    return {
      get count() {
        return count
      },
      add: (difference) => {
        // What is there from an earlier window does not count any more.
        const isNew = count === 0
        count += difference
        storage.apply(service, key, [
          isNew
            ? { kind: 'set', key: variable, value: String(count), expiresAt }
            : { kind: 'add', key: variable, difference, expiresAt },
        ])
      },
    }
  }

  #known(key: string, now: number) {
    const known = this.#storage.load(this.#service, key).get(variable)
    return known !== undefined && now < known.expiresAt ? known : undefined
  }
}

/** What is remembered of all services. */
export class TrafficMemory {
  readonly #storage: CollectionStorage
  readonly #services = new Map<string, ServiceMemory>()

  constructor(storage: CollectionStorage) {
    this.#storage = storage
  }

  of(service: string): ServiceMemory {
    const known = this.#services.get(service) ?? new ServiceMemory(service, this.#storage)
    this.#services.set(service, known)
    return known
  }
}
