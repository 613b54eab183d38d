import { asTransferable, type ListeningSocket, type ListeningSockets } from '../serving/listening-sockets.ts'
import type { FromWorker } from './messages.ts'

/** The sockets of a worker's listeners, which the primary process keeps for whoever takes its place. */
export class HandedSockets implements ListeningSockets {
  readonly #tell: (message: FromWorker, socket?: ReturnType<typeof asTransferable>) => void
  /** Those of a worker that has ended, by place. */
  readonly #received = new Map<string, ListeningSocket>()

  constructor(tell: (message: FromWorker, socket?: ReturnType<typeof asTransferable>) => void) {
    this.#tell = tell
  }

  receive(place: string, socket: ListeningSocket): void {
    this.#received.set(place, socket)
  }

  adopt(place: string): ListeningSocket | undefined {
    const socket = this.#received.get(place)
    this.#received.delete(place)
    return socket
  }

  share(place: string, socket: ListeningSocket): void {
    this.#tell({ type: 'listening', place }, asTransferable(socket))
  }

  forget(place: string): void {
    this.#tell({ type: 'closed', place })
  }

  /** Closes what was received for listeners that are not there any more. */
  dropRest(): void {
    for (const [place, socket] of this.#received) {
      socket.close()
      this.forget(place)
    }
    this.#received.clear()
  }
}
