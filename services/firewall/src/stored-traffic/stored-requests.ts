import { type Clock, isStorableText, type Log, type Store, TextSeal } from '@palisade/platform'
import type { StoredRequest } from '@palisade/proxy-protocol'
import type { Kysely } from 'kysely'
import type { FirewallTables } from '../tables.ts'

const dayMs = 24 * 60 * 60 * 1000

/** How often it is looked which requests are too old, or of services that keep none any more. */
const sweepMs = 60_000

/** How much is kept of a service. */
export interface StoredTrafficBounds {
  readonly bytesMax: number
  readonly daysMax: number
}

/** What the store of requests stands on. */
export interface StoredRequestsDependencies {
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  /** 32 bytes that only this installation knows. */
  readonly key: Buffer
  /** How much a service keeps; undefined for one that keeps nothing, or is gone. */
  readonly boundsOf: (service: string) => StoredTrafficBounds | undefined
}

/** How much there is of a service. */
export interface StoredTrafficSize {
  readonly requests: number
  readonly refused: number
  readonly bytes: number
  /** In milliseconds since 1970; undefined where there is none. */
  readonly oldestAt: number | undefined
}

/**
 * Requests of services that ask for it, in the store and sealed: all servers and proxies share them. What a service keeps goes with the
 * service, and with its consent.
 */
export class StoredRequests {
  readonly #tables: Kysely<FirewallTables>
  readonly #deps: StoredRequestsDependencies
  readonly #seal: TextSeal
  readonly #sweeping: NodeJS.Timeout
  #storing: ReadonlySet<string> = new Set()
  #hasFailed = false

  constructor(deps: StoredRequestsDependencies) {
    this.#tables = deps.store.tables<FirewallTables>()
    this.#deps = deps
    this.#seal = new TextSeal(deps.key, 'palisade-firewall/stored-requests')
    this.#sweeping = setInterval(() => void this.#sweepAndTell(), sweepMs).unref()
  }

  close(): void {
    clearInterval(this.#sweeping)
  }

  /** Keeps requests; those of services that keep none are passed over. Durable when it ends. */
  async take(requests: readonly StoredRequest[]): Promise<void> {
    const byService = Map.groupBy(
      requests.filter(({ id, service }) => isStorableText(id) && isStorableText(service)),
      ({ service }) => service,
    )
    for (const [service, own] of byService) {
      const bounds = this.#deps.boundsOf(service)
      if (bounds === undefined) continue
      this.#storing = new Set([...this.#storing, service])
      await this.#tables
        .insertInto('firewall_stored_request')
        .values(own.map((request) => this.#rowOf(request)))
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      await this.#trim(service, bounds)
    }
  }

  /**
   * Requests of a service: those that were refused first, and the newest of each sort first.
   *
   * @param charactersMax what their texts take together at most
   */
  async of(service: string, requestsMax: number, charactersMax: number): Promise<StoredRequest[]> {
    const bounds = this.#deps.boundsOf(service)
    if (bounds === undefined) return []
    const rows = await this.#tables
      .selectFrom('firewall_stored_request')
      .select(['id', 'document', 'size'])
      .where('service', '=', service)
      .where('stored_at', '>', this.#oldestOf(bounds))
      .orderBy('is_refused', 'desc')
      .orderBy('stored_at', 'desc')
      .orderBy('id')
      .limit(requestsMax)
      .execute()
    let characters = 0
    return rows.flatMap(({ id, document, size }) => {
      characters += Number(size)
      return characters > charactersMax ? [] : [this.#opened(document, service, id)]
    })
  }

  /** How much there is of a service. */
  async sizeOf(service: string): Promise<StoredTrafficSize> {
    const { requests, refused, bytes, oldest } = await this.#tables
      .selectFrom('firewall_stored_request')
      .select(({ fn }) => [
        fn.countAll().as('requests'),
        fn.sum('is_refused').as('refused'),
        fn.sum('size').as('bytes'),
        fn.min('stored_at').as('oldest'),
      ])
      .where('service', '=', service)
      .executeTakeFirstOrThrow()
    return {
      requests: Number(requests),
      refused: Number(refused ?? 0),
      bytes: Number(bytes ?? 0),
      oldestAt: oldest === null || oldest === undefined ? undefined : Number(oldest),
    }
  }

  /** Deletes what there is of a service. */
  async forget(service: string): Promise<void> {
    if (!isStorableText(service)) return
    await this.#tables.deleteFrom('firewall_stored_request').where('service', '=', service).execute()
  }

  /** Deletes what services keep no more that were among those that did: to be called when the configuration has changed. */
  async leaveOff(): Promise<void> {
    for (const service of this.#storing) {
      if (this.#deps.boundsOf(service) !== undefined) continue
      this.#storing = new Set([...this.#storing].filter((one) => one !== service))
      await this.forget(service)
    }
  }

  /** Deletes what is too old, and what services keep no more. */
  async sweep(): Promise<void> {
    const rows = await this.#tables
      .selectFrom('firewall_stored_request')
      .select('service')
      .distinct()
      .execute()
    this.#storing = new Set(rows.map(({ service }) => service))
    await this.leaveOff()
    for (const service of this.#storing) {
      const bounds = this.#deps.boundsOf(service)
      if (bounds !== undefined) await this.#trim(service, bounds)
    }
  }

  /** That it fails is logged once, until it succeeds again. */
  async #sweepAndTell(): Promise<void> {
    try {
      await this.sweep()
      this.#hasFailed = false
    } catch (error) {
      if (!this.#hasFailed) this.#deps.log.error({ err: error }, 'stored requests could not be swept')
      this.#hasFailed = true
    }
  }

  #oldestOf({ daysMax }: StoredTrafficBounds): number {
    return this.#deps.clock.now() - daysMax * dayMs
  }

  #rowOf(request: StoredRequest): FirewallTables['firewall_stored_request'] {
    const text = JSON.stringify(request)
    return {
      service: request.service,
      id: request.id,
      is_refused: request.isRefused ? 1 : 0,
      stored_at: request.time,
      size: text.length,
      document: this.#seal.seal(text, boundTo(request.service, request.id)),
    }
  }

  #opened(document: string, service: string, id: string): StoredRequest {
    return JSON.parse(this.#seal.open(document, boundTo(service, id))) as StoredRequest
  }

  /** Deletes the oldest of each sort: either has half of the room. */
  async #trim(service: string, bounds: StoredTrafficBounds): Promise<void> {
    await this.#tables
      .deleteFrom('firewall_stored_request')
      .where('service', '=', service)
      .where('stored_at', '<=', this.#oldestOf(bounds))
      .execute()
    for (const isRefused of [0, 1]) await this.#trimSort(service, isRefused, bounds.bytesMax / 2)
  }

  async #trimSort(service: string, isRefused: number, bytesMax: number): Promise<void> {
    const ofSort = this.#tables
      .selectFrom('firewall_stored_request')
      .where('service', '=', service)
      .where('is_refused', '=', isRefused)
    const { bytes } = await ofSort.select(({ fn }) => fn.sum('size').as('bytes')).executeTakeFirstOrThrow()
    let excess = Number(bytes ?? 0) - bytesMax
    if (excess <= 0) return
    const oldest = await ofSort
      .select(['id', 'size'])
      .orderBy('stored_at')
      .orderBy('id')
      .limit(1_000)
      .execute()
    const excessRequests = oldest.filter(({ size }) => {
      const isGone = excess > 0
      excess -= Number(size)
      return isGone
    })
    await this.#tables
      .deleteFrom('firewall_stored_request')
      .where('service', '=', service)
      .where(
        'id',
        'in',
        excessRequests.map(({ id }) => id),
      )
      .execute()
  }
}

/** A row that is moved to another service is of no use there. */
function boundTo(service: string, id: string): string {
  return JSON.stringify([service, id])
}
