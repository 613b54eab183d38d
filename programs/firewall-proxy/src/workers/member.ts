import type { Worker } from 'node:cluster'
import type { Socket } from 'node:net'
import type { ProxySnapshot } from '@palisade/proxy-protocol'
import type { ToWorker, WorkerFigures } from './messages.ts'
import type { WatchedWorker } from './watchdog.ts'
import type { WorkMark } from './work-mark.ts'

/** A worker process of the fleet, and what it has said. */
export class Member implements WatchedWorker {
  readonly worker: Worker
  readonly pid: number
  /** What it works on; undefined where that is not known. */
  readonly mark: WorkMark | undefined
  /** From 1 on; a worker that takes another one's place has its number. Undefined for a spare. */
  place: number | undefined
  /** Since when it has that; in milliseconds of `performance`. */
  placedAt = 0
  /** Since when nobody has served in its place, while it does not yet. */
  vacantSince: number | undefined
  isReady = false
  /** How often it was heard. */
  heard = 0
  /** The last snapshot that it was given, as its share; undefined before the first. */
  sent: ProxySnapshot | undefined
  /** The number of the last snapshot that it was given. */
  asked = 0
  /** The number of the last snapshot that it answered for. */
  answered = 0
  figures: WorkerFigures | undefined
  /** Called when it has answered for rules that it was to load; undefined when it is to load none. */
  onRules: (() => void) | undefined

  constructor(worker: Worker, mark: WorkMark | undefined) {
    this.worker = worker
    // 0 is no process: what could not be started is told of by `error`.
    this.pid = worker.process.pid ?? 0
    this.mark = mark
  }

  /** Grows with whatever it says, and with whatever it begins. */
  get signs(): number {
    return this.heard + (this.mark?.read()?.count ?? 0)
  }

  /** While it loads rules or takes a snapshot, and always where it cannot say that it begins to judge a request. */
  get mayBeSilent(): boolean {
    const isLoading = !this.isReady || this.onRules !== undefined || this.answered < this.asked
    return isLoading || this.mark === undefined
  }

  /** A worker that is gone needs to be told nothing: its `exit` is on its way. */
  tell(message: ToWorker, socket?: Socket): void {
    if (this.worker.isConnected()) this.worker.send(message, socket, () => undefined)
  }
}
