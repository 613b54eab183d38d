import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { LoggedEntry, ProxySnapshot, ReportedService } from '@palisade/proxy-protocol'
import type { Log } from '../log.ts'
import { MergedFares } from './merged-fares.ts'
import type { FromWorker, StoredChanges, ToWorker, WorkerFigures } from './messages.ts'
import { shareOf } from './share-of-snapshot.ts'
import { SharedCollections } from './shared-collections.ts'

/** A worker that keeps ending is started again after twice as long each time, up to this. */
const restartMaxMs = 5_000
const restartMinMs = 50

/** A worker that has run for this long is taken for a good one. */
const goodRunMs = 5_000

/** So much of the stored collections goes into one message to a new worker. */
const instancesPerMessage = 1_000

/** What a fleet needs of the rest of the proxy. */
export interface FleetDependencies {
  /** How many workers there are. */
  readonly size: number
  readonly log: Log
  /** Told when something fares otherwise than before. */
  readonly onNews: () => void
  readonly onLogs: (access: readonly LoggedEntry[], webFirewall: readonly LoggedEntry[]) => void
}

/** A worker process, and what it has said. */
interface Member {
  /** From 1 on; a worker that takes another one's place has its number. */
  readonly place: number
  readonly worker: Worker
  isReady: boolean
  /** The number of the last snapshot that it answered for. */
  answered: number
  figures: WorkerFigures | undefined
}

/** A snapshot that not all workers have answered for. */
interface Pending {
  readonly number: number
  readonly resolve: () => void
  readonly reject: (reason: Error) => void
}

/**
 * The workers that carry the traffic, one process each. This process keeps what they are to serve, brings together what they tell,
 * and puts another one in the place of one that ends. Workers open the addresses themselves, and the kernel spreads connections
 * over them; where they cannot, or where there is only one, connections are accepted here and handed out in turn.
 */
export class WorkerFleet {
  readonly #deps: FleetDependencies
  readonly #members = new Map<number, Member>()
  readonly #fares = new MergedFares()
  /** What the rules of all workers have stored, for workers that come later. */
  readonly #collections = new SharedCollections(() => undefined)
  #number = 0
  #snapshot: ProxySnapshot | undefined
  #pending: Pending | undefined
  #isClosing = false
  #onFirstReady: () => void = () => undefined
  /** Why no rules can be run; empty when they can. A sentence. */
  rulesProblem = ''

  constructor(deps: FleetDependencies) {
    this.#deps = deps
  }

  /** Starts the workers; ends when the first of them can take snapshots. The others join it. */
  async start(): Promise<void> {
    // For addresses that workers do not open themselves.
    cluster.schedulingPolicy = cluster.SCHED_RR
    const isReady = new Promise<void>((resolve) => {
      this.#onFirstReady = resolve
    })
    for (let place = 1; place <= this.#deps.size; place++) this.#startWorker(place, restartMinMs)
    await isReady
  }

  /**
   * Gives all workers a snapshot. One after the other; ends when all that run serve it.
   *
   * @throws Error when a worker cannot take it: then all go on with the one before
   */
  async apply(snapshot: ProxySnapshot): Promise<void> {
    const before = this.#snapshot
    this.#snapshot = snapshot
    const number = ++this.#number
    try {
      await new Promise<void>((resolve, reject) => {
        this.#pending = { number, resolve, reject }
        for (const member of this.#members.values()) if (member.isReady) this.#send(member)
      })
    } catch (error) {
      this.#snapshot = before
      this.#number++
      for (const member of this.#members.values()) if (member.isReady) this.#send(member)
      throw error
    } finally {
      this.#pending = undefined
    }
  }

  /** How each service of the newest snapshot fares. */
  get services(): ReportedService[] {
    return this.#fares.services
  }

  /** What each worker has counted, by its place. */
  get figures(): ReadonlyMap<number, WorkerFigures> {
    return new Map(
      Array.from(this.#members.values())
        .toSorted((one, other) => one.place - other.place)
        .flatMap(({ place, figures }) => (figures === undefined ? [] : [[place, figures] as const])),
    )
  }

  /** Lets all workers end their requests; ends when the last one has gone and everything that they told has come. */
  async close(): Promise<void> {
    this.#isClosing = true
    const members = [...this.#members.values()]
    const gone = members.map(({ worker }) => (worker.isDead() ? undefined : once(worker, 'exit')))
    for (const { worker } of members) tell(worker, { type: 'stop' })
    await Promise.all(gone)
  }

  /** @param waitMs how long to wait with another one if this one does not last */
  #startWorker(place: number, waitMs: number): void {
    const worker = cluster.fork()
    const startedAt = performance.now()
    const member: Member = { place, worker, isReady: false, answered: 0, figures: undefined }
    this.#members.set(worker.id, member)
    worker.on('message', (message: FromWorker) => this.#hear(member, message))
    worker.once('error', (error) => this.#deps.log.error({ err: error }, 'a worker cannot be reached'))
    worker.once('exit', (status, signal) => {
      this.#members.delete(worker.id)
      this.#fares.forget(worker.id)
      if (this.#isClosing) return
      this.#deps.log.error({ worker: place, status, signal }, 'a worker has ended and is replaced')
      const isGood = performance.now() - startedAt > goodRunMs
      void this.#replace(place, isGood ? 0 : waitMs)
      this.#settle()
      this.#deps.onNews()
    })
  }

  async #replace(place: number, waitMs: number): Promise<void> {
    await pause(waitMs)
    if (this.#isClosing) return
    this.#startWorker(place, Math.min(restartMaxMs, Math.max(restartMinMs, 2 * waitMs)))
  }

  #hear(member: Member, message: FromWorker): void {
    switch (message.type) {
      case 'ready':
        this.rulesProblem = message.rulesProblem
        this.#begin(member)
        break
      case 'taken':
        member.answered = message.number
        this.#settle()
        break
      case 'refused':
        member.answered = message.number
        if (this.#pending?.number === message.number) this.#pending.reject(new Error(message.reason))
        break
      case 'services':
        this.#fares.take(member.worker.id, message.services)
        this.#deps.onNews()
        break
      case 'logs':
        this.#deps.onLogs(message.access, message.webFirewall)
        break
      case 'collections':
        this.#collections.take(message.changes)
        for (const other of this.#members.values()) {
          if (other !== member && other.isReady) tell(other.worker, message)
        }
        break
      case 'figures':
        member.figures = message.figures
        break
    }
  }

  /** Brings a new worker to where the others are. */
  #begin(member: Member): void {
    let changes: StoredChanges[] = []
    for (const instance of this.#collections.contents()) {
      changes.push(instance)
      if (changes.length < instancesPerMessage) continue
      tell(member.worker, { type: 'collections', changes })
      changes = []
    }
    if (changes.length > 0) tell(member.worker, { type: 'collections', changes })
    member.isReady = true
    this.#onFirstReady()
    this.#send(member)
    this.#deps.log.info({ worker: member.place, pid: member.worker.process.pid }, 'a worker is ready')
  }

  #send({ worker }: Member): void {
    if (this.#snapshot === undefined) return
    const snapshot = shareOf(this.#snapshot, this.#deps.size)
    tell(worker, { type: 'snapshot', number: this.#number, snapshot })
  }

  /** Whether all that run have answered, and one at least is there. */
  #settle(): void {
    const pending = this.#pending
    if (pending === undefined) return
    const ready = [...this.#members.values()].filter(({ isReady }) => isReady)
    if (ready.length > 0 && ready.every(({ answered }) => answered >= pending.number)) pending.resolve()
  }
}

/** A worker that is gone needs to be told nothing: its `exit` is on its way. */
function tell(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message, () => undefined)
}
