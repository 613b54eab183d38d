import type { SnapshotBalancing, SnapshotContentRule, SnapshotService } from '@palisade/proxy-protocol'
import { conditionOf } from '../conditions/extended-match.ts'
import { hostAndUrl } from '../conditions/wildcard.ts'
import type { Exchange } from '../traffic/exchange.ts'
import { Balance, type Balanced } from './balance.ts'
import { type Persistence, persistenceOf } from './persistence.ts'

/** Where requests go: the servers of a service or of one of its content rules, and who gets the next. */
export class Route {
  readonly servers: readonly Balanced[]
  readonly logsAccess: boolean
  readonly persistence: Persistence | undefined
  readonly #balance: Balance
  readonly #movesClients: boolean

  constructor(servers: readonly Balanced[], balancing: SnapshotBalancing, logsAccess: boolean) {
    this.servers = servers
    this.logsAccess = logsAccess
    this.persistence = balancing.persistence && persistenceOf(balancing.persistence, servers)
    this.#balance = new Balance(servers, balancing.algorithm)
    this.#movesClients = balancing.whenServerFails === 'another'
  }

  /**
   * The server for a request; undefined when there is none that may have it.
   *
   * @param tried those that this request has tried in vain
   */
  pick(exchange: Exchange, tried: ReadonlySet<Balanced>): Balanced | undefined {
    const bound = this.persistence?.boundTo(exchange)
    if (bound === undefined) return this.#balance.pick(tried)
    const best = bound.find((one) => !tried.has(one) && one.pool.health.isUsable)
    if (best !== undefined && (best === bound[0] || this.#movesClients)) return best
    return this.#movesClients ? this.#balance.pick(tried) : undefined
  }
}

/** The content rules of a service, and the service itself for whatever they do not fit. */
export class Routes {
  readonly #own: Route
  readonly #rules: readonly { readonly fits: (exchange: Exchange) => boolean; readonly route: Route }[]

  /** @param take gives the connections to a server */
  constructor(service: SnapshotService, take: (server: SnapshotService['servers'][number]) => Balanced) {
    const own = service.servers.map(take)
    this.#own = new Route(own, service.balancing, service.logsAccess)
    this.#rules = service.contentRules.map((rule) => {
      const servers = rule.servers.length > 0 ? rule.servers.map(take) : own
      return { fits: matcherOf(rule), route: new Route(servers, rule.balancing, rule.logsAccess) }
    })
  }

  /** All servers, each once. */
  get servers(): readonly Balanced[] {
    return [
      ...new Set([this.#own, ...this.#rules.map(({ route }) => route)].flatMap(({ servers }) => servers)),
    ]
  }

  /** Where a request goes. */
  of(exchange: Exchange): Route {
    return this.#rules.find(({ fits }) => fits(exchange))?.route ?? this.#own
  }
}

/** Whether a content rule is about a request. */
export function matcherOf({
  host,
  url,
  extendedMatch,
}: SnapshotContentRule): (exchange: Exchange) => boolean {
  const [isFor, holds] = [hostAndUrl(host, url), conditionOf(extendedMatch)]
  return (exchange) => isFor(exchange) && holds?.(exchange) === true
}
