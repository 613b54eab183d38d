import type { Challenges } from '@palisade/acme-challenges'
import type { Log } from '@palisade/log'
import type { CounterName, LearntUrl, SnapshotService } from '@palisade/proxy-protocol'
import type { RuleSet } from '@palisade/seclang'
import type { AddressData } from '../address-data/address-data.ts'
import type { CredentialKnowledge } from '../credentials/credential-knowledge.ts'
import type { Exchange, ExchangeRuntime } from '../exchange/exchange.ts'
import type { RuleSets } from '../inspection/rule-sets.ts'
import { Judges, type PolicyByDigest } from '../judging/judges.ts'
import { Masking } from '../logs/masking.ts'
import type { InspectionResult, RefusedConnection } from '../logs/violation-entries.ts'
import type { Policy } from '../policy/policy.ts'
import type { ServiceMemory } from '../policy/traffic-memory.ts'
import type { BodyRoom } from '../rate-control/body-room.ts'
import type { MemoryRoom } from '../rate-control/memory-room.ts'
import type { RequestPool } from '../rate-control/request-pool.ts'
import type { LoadedRevocationList, RevocationLists } from '../revocation/revocation-lists.ts'
import { Routes } from '../servers/route.ts'
import type { ServerPools } from '../servers/server-pool.ts'
import { ExceptionClients } from '../slow-clients/exception-clients.ts'

/** What all services of a proxy work with. */
export interface RuntimeDependencies {
  readonly pools: ServerPools
  readonly rules: RuleSets
  /** Where bodies are held until they are judged. */
  readonly bodyRoom: BodyRoom
  /** Where answers wait for their clients. */
  readonly answerRoom: MemoryRoom
  /** Where addresses are, and what they are known for; absent where nothing of that was brought. */
  readonly addressData?: AddressData | undefined
  /** Which certificates of clients were revoked; absent where no list was downloaded. */
  readonly revocationLists?: RevocationLists | undefined
  /** What tells stolen passwords, and log-ins that were tried before. */
  readonly credentialKnowledge?: CredentialKnowledge | undefined
  readonly log: Log
  /** In milliseconds since 1970. */
  readonly now: () => number
  /** Told when a server fares otherwise than before. */
  readonly onNews: () => void
  /** Told of each request when it has come, with the name of its service. */
  readonly onBegin?: (service: string) => void
  /** Told of a request before work on it begins that may take long: when it has come, and before it or its answer is judged. */
  readonly onWork?: (exchange: Exchange) => void
  /** Told of each request when its response was sent or the client has gone, and what masks it in logs. */
  readonly onExchange: (exchange: Exchange, masking: Masking) => void
  /** Told of each request whose connection goes on as a WebSocket, before `onExchange` is when that has ended. */
  readonly onTunnel?: (exchange: Exchange, masking: Masking) => void
  /** Told what was found in a message over the WebSocket that a request has opened. */
  readonly onMessage?: (exchange: Exchange, masking: Masking, found: InspectionResult) => void
  /** Told what connections do, with the name of their service. */
  readonly onCount?: (service: string, counter: CounterName) => void
  /** Told what requests of the application look like, where that is learnt. */
  readonly onLearnt?: (learnt: LearntUrl) => void
  /** Told of what never became a request. */
  readonly onRefusedConnection: (refused: RefusedConnection) => void
}

/**
 * One service of one snapshot, ready to carry requests. It ends when the snapshot has been replaced and its last request was
 * answered.
 */
export class ServiceRuntime implements ExchangeRuntime {
  readonly service: SnapshotService
  readonly routes: Routes
  readonly judges: Judges
  readonly masking: Masking
  readonly patience: ExceptionClients
  /** Whose word about clients is taken; undefined where nobody has said so. */
  readonly trustedProxies: ExceptionClients | undefined
  readonly memory: ServiceMemory
  /** Those of the whole snapshot: an authority may ask at any address. */
  readonly challenges: Challenges
  /** Where messages over WebSockets are held, those of all services together. */
  readonly messageRoom: MemoryRoom
  /** Present where only so many requests are served at once. */
  readonly requestPool: RequestPool | undefined
  readonly #deps: RuntimeDependencies
  readonly #servers
  #exchanges = 0
  #isRetired = false

  /**
   * @param parts the policies of the snapshot, and what is remembered of its clients
   */
  constructor(
    service: SnapshotService,
    deps: RuntimeDependencies,
    parts: {
      readonly policyOf: PolicyByDigest
      readonly memory: ServiceMemory
      readonly requestPool: RequestPool | undefined
      readonly challenges: Challenges
      readonly messageRoom: MemoryRoom
    },
  ) {
    this.memory = parts.memory
    this.challenges = parts.challenges
    this.messageRoom = parts.messageRoom
    this.requestPool = parts.requestPool
    this.service = service
    this.#deps = deps
    this.routes = new Routes(service, parts.memory, (server, rule) => ({
      server,
      rule,
      pool: deps.pools.take(server),
    }))
    this.#servers = [...this.routes.servers]
    this.judges = new Judges(service, parts.policyOf, {
      memory: parts.memory,
      rules: deps.rules,
      addressData: deps.addressData,
      credentialKnowledge: deps.credentialKnowledge,
      onLearnt: (learnt) => deps.onLearnt?.(learnt),
    })
    this.masking = new Masking(service.maskedParameters)
    this.trustedProxies = service.trustedProxies && new ExceptionClients(service.trustedProxies)
    this.patience = new ExceptionClients(service.slowClients?.exceptions ?? [])
  }

  /** By which its requests are judged, as long as it lives. */
  get rules(): RuleSets {
    return this.#deps.rules
  }

  /** The rules to be run for a request; undefined when it is not inspected. */
  rulesFor(mode: Exchange['mode']): RuleSet | undefined {
    const { rules } = this
    return mode === 'off' || 'problem' in rules ? undefined : rules[mode]
  }

  /** What follows attacks where no content rule says otherwise. */
  get policy(): Policy {
    return this.judges.own.policy
  }

  /** Whether it is to block attacks and cannot. */
  get isClosedForLackOfRules(): boolean {
    return this.judges.own.isClosedForLackOfRules
  }

  get bodyRoom(): BodyRoom {
    return this.#deps.bodyRoom
  }

  get answerRoom(): MemoryRoom {
    return this.#deps.answerRoom
  }

  get log(): Log {
    return this.#deps.log
  }

  /**
   * By which clients' certificates are looked for, of those that its service wants to be obeyed; undefined where it wants none, and empty where none
   * of them is there.
   */
  get revocationLists(): readonly LoadedRevocationList[] | undefined {
    const { name, tls } = this.service
    if (tls?.clients?.revocationLists === undefined) return undefined
    return this.#deps.revocationLists?.of(name, tls.clients) ?? []
  }

  /** The country of an address, by its code; undefined where that is not known. */
  countryOf(address: string): string | undefined {
    return this.#deps.addressData?.countryOf(address)
  }

  now(): number {
    return this.#deps.now()
  }

  onNews(): void {
    this.#deps.onNews()
  }

  /** Says what a connection has done. */
  count(counter: CounterName): void {
    this.#deps.onCount?.(this.service.name, counter)
  }

  /** Says that a connection was ended. */
  refused(connection: Omit<RefusedConnection, 'service' | 'policy'>): void {
    const country = this.countryOf(connection.clientAddress)
    const countryMember = country === undefined ? {} : { country }
    this.#deps.onRefusedConnection({
      ...connection,
      ...countryMember,
      service: this.service,
      policy: this.policy,
    })
  }

  begin(exchange: Exchange): void {
    this.#exchanges++
    this.#deps.onBegin?.(this.service.name)
    this.worksOn(exchange)
  }

  /** Says that work on a request begins that may take long. */
  worksOn(exchange: Exchange): void {
    this.#deps.onWork?.(exchange)
  }

  /** Says that all is known of a request but how long its connection goes on: for hours, perhaps. */
  tunnelled(exchange: Exchange): void {
    exchange.transaction?.finish()
    this.#deps.onTunnel?.(exchange, this.masking)
  }

  /** Says what was found in a message over the WebSocket that a request has opened. */
  foundInMessage(exchange: Exchange, found: InspectionResult): void {
    this.#deps.onMessage?.(exchange, this.masking, found)
  }

  end(exchange: Exchange): void {
    exchange.leave()
    exchange.transaction?.finish()
    this.#deps.onExchange(exchange, this.masking)
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
      .map(({ server, pool, rule }) => ({
        name: server.name,
        ...(rule === undefined ? {} : { rule }),
        isUp: pool.health.failure === undefined,
        reason: pool.health.failure ?? '',
      }))
  }

  #endWhenIdle(): void {
    if (!this.#isRetired || this.#exchanges > 0) return
    for (const { pool } of this.#servers.splice(0)) this.#deps.pools.release(pool)
  }
}
