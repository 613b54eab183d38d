import { differenceBetween, type ProxySnapshot } from '@palisade/proxy-protocol'
import type { Member } from './member.ts'
import { SnapshotShares } from './share-of-snapshot.ts'

/** A snapshot that not all workers have answered for. */
interface Pending {
  readonly number: number
  readonly resolve: () => void
  readonly reject: (reason: Error) => void
}

/**
 * Brings the newest snapshot to all workers, each by its difference from the one that the worker has. Either all that have a place take it, or
 * all go on with the one before.
 */
export class SnapshotRollout {
  readonly #members: () => readonly Member[]
  readonly #shares: SnapshotShares
  #number = 0
  #snapshot: ProxySnapshot | undefined
  #pending: Pending | undefined

  /**
   * @param workerCount among how many workers what is allowed at once is divided
   * @param members all that run now
   */
  constructor(workerCount: number, members: () => readonly Member[]) {
    this.#shares = new SnapshotShares(workerCount)
    this.#members = members
  }

  /** The newest snapshot; undefined before the first. */
  get snapshot(): ProxySnapshot | undefined {
    return this.#snapshot
  }

  /** The number of the newest snapshot. */
  get number(): number {
    return this.#number
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
        this.#sendToAll()
      })
    } catch (error) {
      this.#snapshot = before
      this.#number++
      this.#sendToAll()
      throw error
    } finally {
      this.#pending = undefined
    }
  }

  /** Gives a worker the newest snapshot, if there is one. */
  send(member: Member): void {
    if (this.#snapshot === undefined) return
    const share = this.#shares.of(this.#snapshot)
    const isSpare = member.place === undefined
    member.asked = this.#number
    const snapshot = member.sent === undefined ? share : differenceBetween(member.sent, share)
    member.sent = share
    member.tell({ type: 'snapshot', number: this.#number, snapshot, isSpare })
  }

  /** A worker has taken a snapshot. */
  taken(member: Member, number: number): void {
    member.answered = number
    this.settle()
  }

  /** A worker cannot take a snapshot. That of the spare does not count. */
  refused(member: Member, number: number, reason: string): void {
    member.answered = number
    if (member.place === undefined) return
    if (this.#pending?.number === number) this.#pending.reject(new Error(reason))
  }

  /** Whether all that run have answered, and one at least is there; to be asked when a worker has gone, too. */
  settle(): void {
    const pending = this.#pending
    if (pending === undefined) return
    const ready = this.#members().filter(({ place }) => place !== undefined)
    if (ready.length > 0 && ready.every(({ answered }) => answered >= pending.number)) pending.resolve()
  }

  #sendToAll(): void {
    for (const member of this.#members()) if (member.isReady) this.send(member)
  }
}
