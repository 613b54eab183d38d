import type { ListeningSocket } from '../serving/listening-sockets.ts'

/** The sockets on which workers listen, as the primary process keeps them: they stay open when a worker is gone. */
export class KeptSockets {
  /** By worker, then by the place of the listener. */
  readonly #sockets = new Map<number, Map<string, ListeningSocket>>()

  keep(worker: number, place: string, socket: ListeningSocket): void {
    const own = this.#sockets.get(worker) ?? new Map<string, ListeningSocket>()
    this.#sockets.set(worker, own)
    own.get(place)?.close()
    own.set(place, socket)
  }

  /** The worker has closed its listener there. */
  forget(worker: number, place: string): void {
    const own = this.#sockets.get(worker)
    own?.get(place)?.close()
    own?.delete(place)
  }

  /** From now on they are those of another worker. @returns them, by place */
  pass(from: number, to: number): ReadonlyMap<string, ListeningSocket> {
    const passed = this.#sockets.get(from) ?? new Map<string, ListeningSocket>()
    this.#sockets.delete(from)
    this.#sockets.set(to, passed)
    return passed
  }

  /** Nobody takes the worker's place soon: its clients are better off with other workers. */
  close(worker: number): void {
    for (const socket of this.#sockets.get(worker)?.values() ?? []) socket.close()
    this.#sockets.delete(worker)
  }
}
