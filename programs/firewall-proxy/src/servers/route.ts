import type { SnapshotBalancing, SnapshotService } from '@palisade/proxy-protocol'
import type { Exchange } from '../exchange/exchange.ts'
import type { ServiceMemory } from '../policy/traffic-memory.ts'
import { Balance, type BalancedServer } from './balance.ts'
import { contentRuleFinder } from './content-rules.ts'
import { type Bindings, type Persistence, persistenceOf } from './persistence.ts'

/** What services and content rules alike say of where requests go. */
interface RouteSettings {
  readonly balancing: SnapshotBalancing
  readonly logsAccess: boolean
}

/** Where requests go: the servers of a service or of one of its content rules, and who gets the next. */
export class Route {
  readonly servers: readonly BalancedServer[]
  readonly logsAccess: boolean
  readonly persistence: Persistence | undefined
  readonly #balance: Balance
  readonly #movesClients: boolean

  /** @param bindings which clients are bound to which servers, where that has to be remembered */
  constructor(
    servers: readonly BalancedServer[],
    { balancing, logsAccess }: RouteSettings,
    bindings: Bindings,
  ) {
    this.servers = servers
    this.logsAccess = logsAccess
    this.persistence = balancing.persistence && persistenceOf(balancing.persistence, servers, bindings)
    this.#balance = new Balance(servers, balancing.algorithm)
    this.#movesClients = balancing.whenServerFails === 'another'
  }

  /**
   * The server for a request; undefined when there is none that may have it.
   *
   * @param tried those that this request has tried in vain
   */
  pick(exchange: Exchange, tried: ReadonlySet<BalancedServer>): BalancedServer | undefined {
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
  readonly #all: readonly Route[]
  readonly #ofRule: (exchange: Exchange) => Route | undefined

  /** @param take gives the connections to a server of the service, or of one of its content rules */
  constructor(
    service: SnapshotService,
    memory: ServiceMemory,
    take: (server: SnapshotService['servers'][number], rule: string | undefined) => BalancedServer,
  ) {
    const own = service.servers.map((server) => take(server, undefined))
    this.#own = new Route(own, service, { memory, scope: '' })
    const all = [this.#own]
    this.#ofRule = contentRuleFinder(service.contentRules, (rule) => {
      const servers = rule.servers.length > 0 ? rule.servers.map((server) => take(server, rule.name)) : own
      const route = new Route(servers, rule, { memory, scope: rule.name })
      all.push(route)
      return route
    })
    this.#all = all
  }

  /** All servers, each once. */
  get servers(): readonly BalancedServer[] {
    return [...new Set(this.#all.flatMap(({ servers }) => servers))]
  }

  /** Where a request goes. */
  of(exchange: Exchange): Route {
    return this.#ofRule(exchange) ?? this.#own
  }
}
