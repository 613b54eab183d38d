import cluster, { type Worker } from 'node:cluster'
import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '@palisade/log'
import type {
  LearntUrl,
  LoggedEntry,
  ProxySnapshot,
  ReportedRules,
  ReportedService,
  SharedChange,
  StoredRequest,
  TrafficCounts,
} from '@palisade/proxy-protocol'
import { asTransferable, type ListeningSocket } from '../serving/listening-sockets.ts'
import { forkWorker } from './fork-worker.ts'
import { KeptSockets } from './kept-sockets.ts'
import type { Member } from './member.ts'
import { MergedHealth } from './merged-health.ts'
import type { FromWorker, StoredChanges, WorkerFigures } from './messages.ts'
import { RestartWait } from './restart-wait.ts'
import { storedChangesOf } from './shared-changes.ts'
import { SharedCollections } from './shared-collections.ts'
import { SnapshotRollout } from './snapshot-rollout.ts'
import { type Hang, lookMs, Watchdog } from './watchdog.ts'
import { endMaxMs, type WorkerRecords } from './worker-records.ts'

/** What a fleet needs of the rest of the proxy. */
export interface FleetDependencies {
  /** How many workers there are, beside the spare one. */
  readonly size: number
  /** Whether one more is kept ready to take the place of one that ends. */
  readonly hasSpare: boolean
  /** Where is written down which workers there are. */
  readonly records: WorkerRecords
  readonly log: Log
  /** Told what requests have changed in what is remembered. */
  readonly onCollections: (changes: readonly StoredChanges[]) => void
  /** Told when something fares otherwise than before. */
  readonly onNews: () => void
  readonly onLearnt: (urls: readonly LearntUrl[]) => void
  readonly onStored: (requests: readonly StoredRequest[]) => void
  readonly onCounted: (counted: readonly TrafficCounts[]) => void
  readonly onLogs: (access: readonly LoggedEntry[], webFirewall: readonly LoggedEntry[]) => void
}

/** How many workers have ended without being asked to since the proxy began, and how many of those because they hung. */
export interface WorkerEnds {
  ended: number
  hung: number
}

/** A place that no worker has: not yet, or no longer. */
interface Vacancy {
  readonly place: number
  /** The worker that had it, and since when it has it no more; undefined at the start. */
  readonly formerly?: number
  readonly since?: number
}

/**
 * The workers that carry the traffic, one process each. This process keeps what they are to serve, brings together what they tell,
 * and puts another one in the place of one that ends: a spare, which has everything ready but its listeners.
 *
 * On Linux, workers open the addresses themselves, and the kernel spreads connections over them. The sockets on which they listen are kept
 * here too, so that clients of a worker that ends wait until another one listens there. Elsewhere connections are accepted here and
 * handed out in turn.
 */
export class WorkerFleet {
  readonly #deps: FleetDependencies
  readonly #members = new Map<number, Member>()
  readonly #health = new MergedHealth()
  /** What the rules of all workers have stored, for workers that come later. */
  readonly #collections = new SharedCollections(() => undefined)
  readonly #sockets = new KeptSockets()
  readonly #vacancies = new Set<Vacancy>()
  readonly #restartWait = new RestartWait()
  readonly #rollout: SnapshotRollout
  readonly #watchdog = new Watchdog(performance.now())
  readonly #watching = setInterval(() => this.#watch(), lookMs).unref()
  readonly ends: WorkerEnds = { ended: 0, hung: 0 }
  #isClosing = false
  #onFirstReady: () => void = () => undefined
  /** By which rules workers judge, as the last of them has said; undefined before the first is ready. */
  rules: ReportedRules | undefined

  constructor(deps: FleetDependencies) {
    this.#deps = deps
    this.#rollout = new SnapshotRollout(deps.size, () => [...this.#members.values()])
  }

  /** Starts the workers; ends when the first of them can take snapshots. The others join it. */
  async start(): Promise<void> {
    // For addresses that workers do not open themselves.
    cluster.schedulingPolicy = cluster.SCHED_RR
    const isReady = new Promise<void>((resolve) => {
      this.#onFirstReady = resolve
    })
    for (let place = 1; place <= this.#deps.size; place++) {
      this.#vacancies.add({ place })
      this.#startWorker()
    }
    await isReady
  }

  /**
   * Gives all workers a snapshot. One after the other; ends when all that run serve it.
   *
   * @throws Error when a worker cannot take it: then all go on with the one before
   */
  apply(snapshot: ProxySnapshot): Promise<void> {
    return this.#rollout.apply(snapshot)
  }

  /**
   * Has all workers load the rules that are chosen now, one after the other, since a worker carries nothing meanwhile. Ends when the
   * last one has answered.
   */
  async reloadRules(): Promise<void> {
    for (const member of [...this.#members.values()]) {
      if (!member.isReady || member.worker.isDead()) continue
      await new Promise<void>((resolve) => {
        member.onRules = resolve
        member.worker.once('exit', () => resolve())
        member.tell({ type: 'load-rules' })
      })
      member.onRules = undefined
    }
  }

  /** Has all workers read anew what was brought about addresses. */
  reloadAddressData(): void {
    for (const member of this.#members.values()) member.tell({ type: 'load-address-data' })
  }

  /** Has all workers obey the lists of revoked certificates that are there now. */
  reloadRevocationLists(): void {
    for (const member of this.#members.values()) member.tell({ type: 'load-revocation-lists' })
  }

  /** Takes over what other proxies remember. */
  takeShared(changes: readonly SharedChange[]): void {
    const now = Date.now()
    const storedChanges = changes.map((change) => storedChangesOf(change, now))
    this.#collections.take(storedChanges)
    for (const member of this.#members.values()) {
      if (member.isReady && storedChanges.length > 0)
        member.tell({ type: 'collections', changes: storedChanges })
    }
  }

  /** Whether requests of some service are kept, to be judged again. */
  get storesTraffic(): boolean {
    return this.#rollout.snapshot?.services.some(({ storedTraffic }) => storedTraffic !== undefined) === true
  }

  /** The health of each service of the newest snapshot. */
  get services(): readonly ReportedService[] {
    return this.#health.services
  }

  /** What each worker has counted, by its place. */
  get figures(): ReadonlyMap<number, WorkerFigures> {
    return new Map(
      Array.from(this.#members.values())
        .flatMap(({ place, figures }) =>
          figures === undefined || place === undefined ? [] : [[place, figures] as const],
        )
        .toSorted(([one], [other]) => one - other),
    )
  }

  /**
   * Lets all workers end their requests; ends when the last one has gone and everything that they told has come. What does not end in
   * time is killed.
   */
  async close(): Promise<void> {
    this.#isClosing = true
    clearInterval(this.#watching)
    const members = [...this.#members.values()]
    const gone = members.map(({ worker }) => exitOf(worker))
    for (const member of members) {
      if (member.place !== undefined) member.tell({ type: 'stop' })
      // It carries nothing, and may not hear for a while: it loads rules.
      else member.worker.process.kill('SIGKILL')
    }
    const late = setTimeout(() => {
      for (const { worker } of members) worker.process.kill('SIGKILL')
    }, endMaxMs)
    await Promise.all(gone)
    clearTimeout(late)
  }

  #startWorker(): void {
    const member = forkWorker(this.#deps.log)
    const { worker, pid } = member
    this.#members.set(worker.id, member)
    if (pid > 0) this.#deps.records.add(pid)
    worker.on('message', (message: FromWorker, socket?: ListeningSocket) =>
      this.#hear(member, message, socket),
    )
    worker.once('error', (error) => this.#deps.log.error({ err: error }, 'a worker cannot be reached'))
    worker.once('exit', (status, signal) => {
      this.#members.delete(worker.id)
      this.#health.forget(worker.id)
      member.mark?.close()
      this.#deps.records.delete(pid)
      if (this.#isClosing) return
      this.ends.ended++
      this.#deps.log.error({ worker: member.place, status, signal }, 'a worker has ended and is replaced')
      this.#vacate(member)
      void this.#startAnother()
      this.#rollout.settle()
      this.#deps.onNews()
    })
  }

  /** Kills workers that hang: others take their places. */
  #watch(): void {
    const members = [...this.#members.values()]
    const hanging = this.#watchdog.look(performance.now(), members)
    for (const member of members) {
      const hang = hanging.get(member.pid)
      if (hang) this.#end(member, hang)
    }
  }

  #end({ worker, place, pid, mark, figures }: Member, { busyMs, asleepMs }: Hang): void {
    this.ends.hung++
    const work = mark?.read()
    const underWay = Object.entries(figures?.services ?? {}).flatMap(([service, { underWay }]) =>
      underWay > 0 ? [[service, underWay] as const] : [],
    )
    this.#deps.log.error(
      {
        worker: place,
        workerPid: pid,
        busyMs: Math.round(busyMs),
        asleepMs: Math.round(asleepMs),
        ...(work === undefined ? {} : { service: work.service, request: work.request }),
        underWay: Object.fromEntries(underWay),
      },
      'a worker hangs and is killed',
    )
    worker.process.kill('SIGKILL')
  }

  /** Gives the place of a worker that has ended to the spare, or to whoever is ready next. */
  #vacate({ place, placedAt, worker }: Member): void {
    const now = performance.now()
    this.#restartWait.ended(place === undefined ? 0 : now - placedAt)
    if (place === undefined) return
    const vacancy = { place, formerly: worker.id, since: now }
    this.#vacancies.add(vacancy)
    const ready = [...this.#members.values()].filter(({ isReady }) => isReady)
    const spare = ready.find((one) => one.place === undefined)
    if (spare) {
      this.#place(spare, vacancy)
      spare.tell({ type: 'serve', number: this.#rollout.number })
    }
    // The others have the address as well; where there are none, clients wait.
    else if (ready.length > 0) this.#sockets.close(worker.id)
  }

  async #startAnother(): Promise<void> {
    await pause(this.#restartWait.milliseconds)
    if (!this.#isClosing) this.#startWorker()
  }

  #hear(member: Member, message: FromWorker, socket: ListeningSocket | undefined): void {
    member.heard++
    switch (message.type) {
      case 'ready':
        this.rules = message.rules
        this.#begin(member)
        break
      case 'rules':
        this.rules = message.rules
        member.onRules?.()
        this.#deps.onNews()
        break
      case 'taken':
        this.#taken(member, message.number)
        break
      case 'refused':
        this.#rollout.refused(member, message.number, message.reason)
        break
      case 'listening':
        if (socket) this.#sockets.keep(member.worker.id, message.place, socket)
        break
      case 'closed':
        this.#sockets.forget(member.worker.id, message.place)
        break
      case 'services':
        if (member.place === undefined) break
        this.#health.take(member.worker.id, message)
        this.#deps.onNews()
        break
      case 'logs':
        this.#deps.onLogs(message.access, message.webFirewall)
        break
      case 'collections':
        this.#collections.take(message.changes)
        for (const other of this.#members.values()) {
          if (other !== member && other.isReady) other.tell(message)
        }
        this.#deps.onCollections(message.changes)
        break
      case 'counted':
        this.#deps.onCounted(message.counted)
        break
      case 'learnt':
        this.#deps.onLearnt(message.urls)
        break
      case 'stored':
        this.#deps.onStored(message.requests)
        break
      case 'figures':
        member.figures = message.figures
        break
    }
  }

  /** Brings a new worker to where the others are. One that becomes ready while the fleet closes has been told to end. */
  #begin(member: Member): void {
    if (this.#isClosing) return
    for (const changes of this.#collections.contentsInParts()) member.tell({ type: 'collections', changes })
    member.isReady = true
    const [vacancy] = this.#vacancies
    if (vacancy) this.#place(member, vacancy)
    else this.#deps.log.info({ workerPid: member.worker.process.pid }, 'a spare worker is ready')
    this.#rollout.send(member)
    this.#onFirstReady()
    if (this.#vacancies.size === 0) this.#startSpare()
  }

  /** Gives a worker that is ready a place, and the sockets of whoever had it. */
  #place(member: Member, vacancy: Vacancy): void {
    this.#vacancies.delete(vacancy)
    member.place = vacancy.place
    member.vacantSince = vacancy.since
    member.placedAt = performance.now()
    member.answered = 0
    const { worker } = member
    if (vacancy.formerly !== undefined) {
      for (const [place, socket] of this.#sockets.pass(vacancy.formerly, worker.id)) {
        member.tell({ type: 'socket', place }, asTransferable(socket))
      }
    }
    this.#deps.log.info({ worker: member.place, workerPid: worker.process.pid }, 'a worker is ready')
  }

  /** Not before all places are taken: it would keep their workers from becoming ready. */
  #startSpare(): void {
    if (!this.#deps.hasSpare || this.#members.size > this.#deps.size) return
    this.#startWorker()
  }

  /** A worker serves. */
  #taken(member: Member, number: number): void {
    this.#rollout.taken(member, number)
    const { place, vacantSince, worker } = member
    if (place === undefined || vacantSince === undefined) return
    member.vacantSince = undefined
    const milliseconds = Math.round(performance.now() - vacantSince)
    this.#deps.log.info(
      { worker: place, workerPid: worker.process.pid, milliseconds },
      'a worker serves in the place of one that has ended',
    )
  }
}

/** Ends when the process of a worker has; one that cannot be reached meanwhile ends as well. */
function exitOf(worker: Worker): Promise<void> {
  if (worker.isDead()) return Promise.resolve()
  return new Promise((resolve) => worker.once('exit', () => resolve()))
}
