import type { SnapshotRequestPool } from '@palisade/proxy-protocol'
import { ExceptionClients } from '../slow-clients/exception-clients.ts'

/** What a request is told that asks to be served. */
export type Admission = 'served' | 'refused' | Promise<'served' | 'gone'>

/** The requests of one client that wait. */
interface Queue {
  readonly waiting: { readonly admit: () => void }[]
  readonly weight: number
  readonly isPreferred: boolean
  /** Grows by the weight with each turn; the queue with the most credit has the turn. */
  credit: number
}

/**
 * Limits how many requests are served at once. Those beyond wait in a queue of their client; queues are served in turns, those of
 * preferred clients more often. A client whose queue is full is refused, and so is one more client than may wait.
 */
export class RequestPool {
  #limits: SnapshotRequestPool
  #preferred: readonly { readonly clients: ExceptionClients; readonly weight: number }[] = []
  readonly #queues = new Map<string, Queue>()
  #active = 0

  constructor(limits: SnapshotRequestPool) {
    this.#limits = limits
    this.limit(limits)
  }

  /** Takes other limits; who waits goes on waiting. */
  limit(limits: SnapshotRequestPool): void {
    this.#limits = limits
    this.#preferred = limits.preferred.map(({ clients, weight }) => ({
      clients: new ExceptionClients(clients),
      weight,
    }))
    this.#serveWaiting()
  }

  /**
   * Asks for a request to be served; {@link leave} follows when it was, and only then.
   *
   * @param onGone is given what takes it out of the queue, to be called when the client goes away
   */
  enter(client: string, onGone: (leaveQueue: () => void) => void): Admission {
    if (this.#active < this.#limits.activeMax) {
      this.#active++
      return 'served'
    }
    const queue = this.#queueOf(client)
    if (queue === undefined || queue.waiting.length >= this.#limits.backlogMax) return 'refused'
    this.#queues.set(client, queue)
    return new Promise((resolve) => {
      const place = { admit: () => resolve('served') }
      queue.waiting.push(place)
      onGone(() => {
        const index = queue.waiting.indexOf(place)
        if (index < 0) return
        queue.waiting.splice(index, 1)
        if (queue.waiting.length === 0) this.#queues.delete(client)
        resolve('gone')
      })
    })
  }

  leave(): void {
    this.#active--
    this.#serveWaiting()
  }

  #queueOf(client: string): Queue | undefined {
    const queue = this.#queues.get(client)
    if (queue !== undefined) return queue
    const preferred = this.#preferred.find(({ clients }) => clients.has(client))
    const others = Array.from(this.#queues.values()).filter(({ isPreferred }) => !isPreferred).length
    if (preferred === undefined && others >= this.#limits.clientsMax) return undefined
    return { waiting: [], weight: preferred?.weight ?? 1, isPreferred: preferred !== undefined, credit: 0 }
  }

  #serveWaiting(): void {
    while (this.#active < this.#limits.activeMax && this.#queues.size > 0) {
      const [client, queue] = this.#nextQueue()
      const first = queue.waiting.shift()
      if (queue.waiting.length === 0) this.#queues.delete(client)
      if (first === undefined) continue
      this.#active++
      first.admit()
    }
  }

  /** Smooth weighted turns: all gain their weight, whoever has its turn pays what all gained. */
  #nextQueue(): [string, Queue] {
    const all = Array.from(this.#queues)
    let total = 0
    for (const [, queue] of all) {
      queue.credit += queue.weight
      total += queue.weight
    }
    const highest = all.reduce((best, one) => (one[1].credit > best[1].credit ? one : best))
    highest[1].credit -= total
    return highest
  }
}

/** The pools of all services, by name; services that name one share it. */
export class RequestPools {
  readonly #pools = new Map<string, RequestPool>()

  /** The pool with these limits from now on. */
  of(limits: SnapshotRequestPool): RequestPool {
    const existing = this.#pools.get(limits.name)
    existing?.limit(limits)
    const pool = existing ?? new RequestPool(limits)
    this.#pools.set(limits.name, pool)
    return pool
  }
}
