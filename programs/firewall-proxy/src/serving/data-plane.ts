import { Challenges } from '@palisade/acme-challenges'
import {
  NoLinearForm,
  type ProxySnapshot,
  type ReportedService,
  type SnapshotService,
} from '@palisade/proxy-protocol'
import { describe, whyNotListening } from '@palisade/start-up'
import { AddressData } from '../address-data/address-data.ts'
import { CredentialKnowledge } from '../credentials/credential-knowledge.ts'
import { Policies } from '../policy/policies.ts'
import { TrafficMemory, type TrafficStorages } from '../policy/traffic-memory.ts'
import { MemoryRoom, messagesBytesMax } from '../rate-control/memory-room.ts'
import { RequestPools } from '../rate-control/request-pool.ts'
import { RevocationLists } from '../revocation/revocation-lists.ts'
import { disabledServers, TakenOutOfService } from '../servers/disabled-servers.ts'
import { type RuntimeDependencies, ServiceRuntime } from '../traffic/service-runtime.ts'
import { Listener } from './listener.ts'
import type { ListeningSockets } from './listening-sockets.ts'
import { checkTls } from './tls-front.ts'

/** Requests have this long to end when their listener is closed. */
const graceMs = 7_000

/** How often clients are looked after that take too long. */
const tickMs = 250

/** How often a listener is tried again that could not be opened. */
const retryMs = 5_000

/** What a data plane works with besides what its services do. */
export interface DataPlaneDependencies extends RuntimeDependencies {
  /** Where is kept what is remembered of clients; in the memory of the process by default. */
  readonly memory?: TrafficStorages
  /** Whether other processes carry the same services. */
  readonly sharesAddresses: boolean
  /** Present where the sockets of listeners outlive this process. */
  readonly sockets?: ListeningSockets | undefined
}

/** A service that was to be carried, with what became of it. */
interface Carried {
  readonly service: SnapshotService
  /** The service as JSON: tells whether a snapshot says the same again. */
  readonly text: string
  /** Undefined while it is not carried. */
  runtime: ServiceRuntime | undefined
  /** Why it is not carried, or carried as an older snapshot said. */
  problem: string
}

/**
 * Everything that clients can reach. A snapshot is taken as a whole: all services are built, new listeners are opened, and only
 * then are requests handed to the new services, all at once; listeners that nobody needs any more are closed, and what is under way
 * behind them ends in peace. A service that cannot be built, or whose listener cannot be opened, is reported; the service that was
 * there before under its name goes on where its listener is still its own.
 */
export class DataPlane {
  #deps: DataPlaneDependencies
  readonly #ticking: NodeJS.Timeout
  readonly #retrying: NodeJS.Timeout
  #carried: readonly Carried[] = []
  readonly #listeners = new Map<string, Listener>()
  readonly #policies = new Policies()
  readonly #memory: TrafficMemory
  readonly #requestPools = new RequestPools()
  readonly #messageRoom = new MemoryRoom(messagesBytesMax)
  readonly #challenges = new Challenges()
  #lastApply: Promise<unknown> = Promise.resolve()
  #opensListeners: boolean

  /** @param options whether listeners are opened before {@link openListeners} asks for that */
  constructor(
    deps: DataPlaneDependencies,
    { opensListeners = true }: { readonly opensListeners?: boolean } = {},
  ) {
    this.#deps = deps
    this.#opensListeners = opensListeners
    this.#memory = new TrafficMemory(deps.memory)
    this.#ticking = setInterval(() => {
      for (const listener of this.#listeners.values()) listener.tick(performance.now())
    }, tickMs).unref()
    this.#retrying = setInterval(() => this.#retry(), retryMs).unref()
  }

  /** Takes a snapshot. One after the other; ends when clients are served by the new one, or could be. */
  apply(snapshot: Pick<ProxySnapshot, 'services' | 'policies' | 'challenges'>): Promise<void> {
    return this.#next(async () => {
      this.#challenges.take(snapshot.challenges)
      await this.#apply(snapshot)
    })
  }

  /** Has requests judged by other rules from now on. Requests under way end by those with which they began. */
  useRules(rules: DataPlaneDependencies['rules']): Promise<void> {
    return this.#next(async () => {
      this.#deps = { ...this.#deps, rules }
      const services = this.#carried.map(({ service }) => service)
      await this.#apply({ services, policies: this.#policies.snapshots })
    })
  }

  /** Other lists of revoked certificates are there. Clients whose certificates are on them now are sent away. */
  useRevocationLists(): Promise<void> {
    return this.#next(async () => {
      for (const { service, runtime } of this.#carried) {
        if (runtime?.service.tls?.clients?.revocationLists)
          this.#listeners.get(placeOf(service))?.serve(runtime)
      }
    })
  }

  /** Opens the listeners of the newest snapshot, and of all that follow. */
  openListeners(): Promise<void> {
    return this.#next(async () => {
      this.#opensListeners = true
      await this.#openAll(this.#carried)
    })
  }

  /** How each service of the newest snapshot fares. */
  get services(): ReportedService[] {
    const { rules } = this.#deps
    const rulesProblem = 'problem' in rules ? rules.problem : rules.notice
    return this.#carried.map(({ service, runtime, problem }) => ({
      name: service.name,
      isUp: runtime !== undefined && !runtime.isClosedForLackOfRules,
      reason: [
        problem,
        service.inspection.mode === 'off' ? '' : rulesProblem,
        ...noticesOf(service, this.#deps),
      ]
        .filter(Boolean)
        .join(' '),
      servers: runtime?.knownServers ?? [],
    }))
  }

  /** How many connections of clients are open, by the names of their services. */
  get connections(): ReadonlyMap<string, number> {
    return new Map(
      this.#carried.flatMap(({ service }) => {
        const listener = this.#listeners.get(placeOf(service))
        return listener === undefined ? [] : [[service.name, listener.connectionCount] as const]
      }),
    )
  }

  /** Takes no more clients and lets running requests end. @param idleMs see {@link Listener.close} */
  async close({ idleMs = 0 }: { readonly idleMs?: number } = {}): Promise<void> {
    clearInterval(this.#ticking)
    clearInterval(this.#retrying)
    await this.#lastApply
    await Promise.all(Array.from(this.#listeners.keys(), (place) => this.#close(place, idleMs)))
    for (const { runtime } of this.#carried) runtime?.retire()
    this.#carried = []
  }

  async #apply({ services, policies }: Pick<ProxySnapshot, 'services' | 'policies'>): Promise<void> {
    const before = this.#carried
    this.#policies.take(policies)
    const olderByName = new Map(before.map((carried) => [carried.service.name, carried]))
    const next = services.map((service) => this.#build(service, olderByName.get(service.name)))
    // Of thousands of services most changes concern one: nothing is done for those that stay as they are.
    const [older, newer] = [new Set(before), new Set(next)]
    const changed = next.filter((carried) => !older.has(carried))
    const removedServices = before.filter((carried) => !newer.has(carried))
    if (this.#opensListeners) await this.#openAll(changed)
    for (const { runtime } of changed)
      if (runtime) this.#listeners.get(placeOf(runtime.service))?.serve(runtime)
    this.#carried = next
    for (const { runtime } of changed) if (runtime) this.#cutTakenOut(runtime.service)
    const running = new Set(changed.map(({ runtime }) => runtime))
    for (const { runtime } of removedServices) if (runtime && !running.has(runtime)) runtime.retire()
    this.#closeUnused(removedServices, changed)
  }

  #build(service: SnapshotService, older: Carried | undefined): Carried {
    const isSame = older?.service === service
    const text = isSame ? older.text : JSON.stringify(service)
    if (older?.runtime && older.text === text && older.runtime.rules === this.#deps.rules) return older
    try {
      if (service.tls) checkTls(service.tls)
    } catch (error) {
      return unusable(service, older, `Its certificate cannot be used: ${describe(error)}.`)
    }
    const limits = service.checks?.requestPool
    const context = {
      policyOf: (digest: string | undefined) => this.#policies.of(digest),
      memory: this.#memory.of(service.name),
      requestPool: limits && this.#requestPools.of(limits),
      challenges: this.#challenges,
      messageRoom: this.#messageRoom,
    }
    try {
      return { service, text, runtime: new ServiceRuntime(service, this.#deps, context), problem: '' }
    } catch (error) {
      if (!(error instanceof NoLinearForm)) throw error
      return unusable(
        service,
        older,
        `A regular expression in it cannot be run in bounded time: ${error.message}.`,
      )
    }
  }

  /** Does things one after the other. */
  #next(action: () => Promise<void>): Promise<void> {
    const applied = this.#lastApply.then(action)
    this.#lastApply = applied.catch(() => undefined)
    return applied
  }

  async #openAll(all: readonly Carried[]): Promise<void> {
    await Promise.all(all.map((carried) => this.#open(carried)))
  }

  /** Sees to it that the service has a listener, which it may take over from another one. */
  async #open(carried: Carried): Promise<void> {
    const { runtime, service } = carried
    const place = placeOf(service)
    if (runtime === undefined || this.#listeners.has(place)) return
    const { sharesAddresses: isShared, sockets } = this.#deps
    try {
      this.#listeners.set(place, await Listener.open(runtime, { place, isShared, sockets }))
    } catch (error) {
      runtime.retire()
      carried.runtime = undefined
      carried.problem = `${service.address}, port ${service.port}, cannot be opened: ${whyNotListening(error)}.`
    }
  }

  /** Ends what servers are doing for a service that are to serve nobody any more. */
  #cutTakenOut(service: SnapshotService): void {
    const isOff = disabledServers(service)
    if (isOff === undefined) return
    this.#listeners
      .get(placeOf(service))
      ?.cut(
        ({ runtime, server }) =>
          runtime.service.name === service.name && server !== undefined && isOff(server),
        new TakenOutOfService(),
      )
  }

  /** Closes listeners of services that are gone, unless others have them now. */
  #closeUnused(gone: readonly Carried[], changed: readonly Carried[]): void {
    const used = new Set(changed.flatMap(({ runtime }) => (runtime ? placeOf(runtime.service) : [])))
    for (const { service } of gone) {
      const place = placeOf(service)
      if (!used.has(place)) void this.#close(place)
    }
  }

  async #close(place: string, idleMs = 0): Promise<void> {
    const listener = this.#listeners.get(place)
    this.#listeners.delete(place)
    this.#deps.sockets?.forget(place)
    await listener?.close(graceMs, idleMs)
  }

  /** An address may be given to this machine, or be freed, later. */
  #retry(): void {
    if (this.#carried.every(({ runtime }) => runtime !== undefined)) return
    const services = this.#carried.map(({ service }) => service)
    const again = () => this.#apply({ services, policies: this.#policies.snapshots })
    void this.#next(again).then(() => this.#deps.onNews())
  }
}

/** A service that cannot be built: the one before goes on under its name where it has the same listener. */
function unusable(service: SnapshotService, older: Carried | undefined, problem: string): Carried {
  const isSamePlace = older?.runtime !== undefined && placeOf(older.runtime.service) === placeOf(service)
  return { service, text: JSON.stringify(service), runtime: isSamePlace ? older.runtime : undefined, problem }
}

/** What a service asks for and comes to nothing here, because this proxy was brought no files. */
function noticesOf(
  { name, tls, checks }: SnapshotService,
  {
    now,
    revocationLists = new RevocationLists(undefined),
    addressData = new AddressData(undefined),
    credentialKnowledge = new CredentialKnowledge(),
  }: DataPlaneDependencies,
): string[] {
  const asksForStolen = checks?.urlPolicies.some((policy) => policy.credentials?.against === 'stuffing')
  const problem = asksForStolen ? credentialKnowledge.problem : undefined
  return [
    ...(checks?.ipReputation === undefined ? [] : addressData.notices(checks.ipReputation)),
    ...(checks?.downloadedBlocklist === undefined
      ? []
      : addressData.blocklistNotices(checks.downloadedBlocklist)),
    ...(tls?.clients ? revocationLists.notices(name, tls.clients, now()) : []),
    ...(problem === undefined ? [] : [problem]),
  ]
}

function placeOf({ address, port }: SnapshotService): string {
  return JSON.stringify([address, port])
}
