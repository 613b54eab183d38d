import { asSent, type DoorSocket, type DoorSockets } from '../serving/door-sockets.ts'
import type { FromWorker } from './messages.ts'

/** The sockets of a worker's doors, which the primary process keeps for whoever takes its place. */
export class HandedSockets implements DoorSockets {
  readonly #tell: (message: FromWorker, socket?: ReturnType<typeof asSent>) => void
  /** Those of a worker that has ended, by place. */
  readonly #received = new Map<string, DoorSocket>()

  constructor(tell: (message: FromWorker, socket?: ReturnType<typeof asSent>) => void) {
    this.#tell = tell
  }

  receive(place: string, socket: DoorSocket): void {
    this.#received.set(place, socket)
  }

  adopt(place: string): DoorSocket | undefined {
    const socket = this.#received.get(place)
    this.#received.delete(place)
    return socket
  }

  share(place: string, socket: DoorSocket): void {
    this.#tell({ type: 'listening', place }, asSent(socket))
  }

  forget(place: string): void {
    this.#tell({ type: 'closed', place })
  }

  /** Closes what was received for doors that are not there any more. */
  dropRest(): void {
    for (const [place, socket] of this.#received) {
      socket.close()
      this.forget(place)
    }
    this.#received.clear()
  }
}
