import type { SnapshotService } from '@palisade/proxy-protocol'
import type { CollectionStorage, RuleSet } from '@palisade/seclang'
import type { BodyRoom } from '../body-room/body-room.ts'
import { Filters } from '../filters/filters.ts'
import type { RuleSets } from '../inspection/rule-sets.ts'
import type { Log } from '../log.ts'
import { Masking } from '../logs/masking.ts'
import type { Policy } from '../policy/policy.ts'
import type { ServiceMemory } from '../policy/traffic-memory.ts'
import type { RequestPool } from '../rate-control/request-pool.ts'
import { type Tarpit, tarpitOf } from '../rate-control/tarpit.ts'
import { Routes } from '../servers/route.ts'
import type { ServerPools } from '../servers/server-pool.ts'
import { ExceptionClients } from '../slow-clients/exception-clients.ts'
import type { Exchange, Violation } from '../traffic/exchange.ts'

/** What all services of a proxy work with. */
export interface RuntimeDependencies {
  readonly pools: ServerPools
  readonly rules: RuleSets
  /** Where is kept what is remembered of clients; in the memory of the process by default. */
  readonly memory?: CollectionStorage
  /** Where bodies are held until they are judged. */
  readonly bodyRoom: BodyRoom
  readonly log: Log
  /** Whether other processes carry the same services. */
  readonly sharesAddresses: boolean
  /** In milliseconds since 1970. */
  readonly now: () => number
  /** Told when a server fares otherwise than before. */
  readonly onNews: () => void
  /** Told of each request when it has come, with the name of its service. */
  readonly onBegin?: (service: string) => void
  /** Told of each request when its response was sent or the client has gone. */
  readonly onExchange: (exchange: Exchange) => void
  /** Told of what never became a request. */
  readonly onRefusedConnection: (refused: RefusedConnection) => void
}

/** A connection that was ended because of how its client behaved. */
export interface RefusedConnection {
  readonly runtime: ServiceRuntime
  readonly violation: Violation
  readonly clientAddress: string
  readonly clientPort: number
}

/**
 * One service of one snapshot, ready to carry requests. It ends when the snapshot has been replaced and its last request was
 * answered.
 */
export class ServiceRuntime {
  readonly service: SnapshotService
  readonly routes: Routes
  readonly filters: Filters
  readonly masking: Masking
  readonly patience: ExceptionClients
  /** What follows attacks. */
  readonly policy: Policy
  readonly memory: ServiceMemory
  /** Present where only so many requests are served at once. */
  readonly requestPool: RequestPool | undefined
  /** Present where clients may be sent there. */
  readonly tarpit: Tarpit | undefined
  /** How transactions of the rules differ from what their files say. */
  readonly ruleSettings: { readonly argumentSeparators?: string }
  /** A service that is to block attacks and cannot is closed: nobody shall believe it protected. */
  readonly isClosedForLackOfRules: boolean
  readonly #deps: RuntimeDependencies
  readonly #servers
  #exchanges = 0
  #isRetired = false

  /**
   * @param given what its policy says and what is remembered of its clients
   */
  constructor(
    service: SnapshotService,
    deps: RuntimeDependencies,
    given: {
      readonly policy: Policy
      readonly memory: ServiceMemory
      readonly requestPool: RequestPool | undefined
    },
  ) {
    const { mode } = service.inspection
    const { rules } = deps
    this.policy = given.policy
    this.memory = given.memory
    this.requestPool = given.requestPool
    this.tarpit = tarpitOf(service, given.policy)
    const separators = given.policy.snapshot?.normalization.parameterSeparators ?? '&'
    this.ruleSettings = separators === '&' ? {} : { argumentSeparators: separators }
    this.service = service
    this.#deps = deps
    this.routes = new Routes(service, (server) => ({ server, pool: deps.pools.take(server) }))
    this.#servers = [...this.routes.servers]
    const isInspected = mode !== 'off' && !('problem' in rules)
    this.filters = new Filters(service, { ...given, rules: isInspected ? rules[mode] : undefined })
    this.masking = new Masking(service.maskedParameters)
    this.patience = new ExceptionClients(service.slowClients?.exceptions ?? [])
    this.isClosedForLackOfRules = mode === 'active' && 'problem' in rules
  }

  /** The rules to be run for a request; undefined when it is not inspected. */
  rulesFor(mode: Exchange['mode']): RuleSet | undefined {
    const { rules } = this.#deps
    return mode === 'off' || 'problem' in rules ? undefined : rules[mode]
  }

  get bodyRoom(): BodyRoom {
    return this.#deps.bodyRoom
  }

  get log(): Log {
    return this.#deps.log
  }

  now(): number {
    return this.#deps.now()
  }

  onNews(): void {
    this.#deps.onNews()
  }

  /** Says that a connection was ended. */
  refused(connection: Omit<RefusedConnection, 'runtime'>): void {
    this.#deps.onRefusedConnection({ ...connection, runtime: this })
  }

  begin(): void {
    this.#exchanges++
    this.#deps.onBegin?.(this.service.name)
  }

  end(exchange: Exchange): void {
    exchange.leave()
    exchange.transaction?.finish()
    this.#deps.onExchange(exchange)
    this.#exchanges--
    this.#endWhenIdle()
  }

  /** Ends when the last request has ended. */
  retire(): void {
    this.#isRetired = true
    this.#endWhenIdle()
  }

  /** How the servers fare of which traffic has shown something. */
  get knownServers() {
    return this.#servers
      .filter(({ pool }) => pool.health.isKnown)
      .map(({ server, pool }) => ({
        name: server.name,
        isUp: pool.health.failure === undefined,
        reason: pool.health.failure ?? '',
      }))
  }

  #endWhenIdle(): void {
    if (!this.#isRetired || this.#exchanges > 0) return
    for (const { pool } of this.#servers.splice(0)) this.#deps.pools.release(pool)
  }
}
