import type { Worker } from 'node:cluster'
import type { Socket } from 'node:net'
import type { ToWorker, WorkerFigures } from './messages.ts'

/** A worker process of the fleet, and what it has said. */
export class Member {
  readonly worker: Worker
  /** From 1 on; a worker that takes another one's place has its number. Undefined for a spare. */
  place: number | undefined
  /** Since when it has that; in milliseconds of `performance`. */
  placedAt = 0
  /** Since when nobody has served in its place, while it does not yet. */
  vacantSince: number | undefined
  isReady = false
  /** The number of the last snapshot that it answered for. */
  answered = 0
  figures: WorkerFigures | undefined
  /** Called when it has answered for rules that it was to load. */
  onRules: () => void = () => undefined

  constructor(worker: Worker) {
    this.worker = worker
  }

  /** A worker that is gone needs to be told nothing: its `exit` is on its way. */
  tell(message: ToWorker, socket?: Socket): void {
    if (this.worker.isConnected()) this.worker.send(message, socket, () => undefined)
  }
}
