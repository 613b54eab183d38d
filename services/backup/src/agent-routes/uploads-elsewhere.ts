import type { Clock } from '@palisade/platform'

/** A server that stands by tells of its last pack of a backup within this time, unless it cannot. */
const toldWithinMs = 10_000

/** The backups whose chunks other servers store: what is missing of one may only not be told of yet. */
export class UploadsElsewhere {
  readonly #clock: Clock
  /** When each was given leave for last; the one that was given last comes last. */
  readonly #leftAt = new Map<string, number>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Another server is about to store chunks of this backup. */
  note(backupId: string): void {
    this.forget(backupId)
    this.#leftAt.set(backupId, this.#clock.now())
    for (const oldest of this.#leftAt.keys()) {
      if (this.mayBeUntold(oldest)) return
      this.forget(oldest)
    }
  }

  /** Whether another server may yet tell of chunks of this backup. */
  mayBeUntold(backupId: string): boolean {
    const leftAt = this.#leftAt.get(backupId)
    return leftAt !== undefined && Math.abs(this.#clock.now() - leftAt) < toldWithinMs
  }

  /** Nobody stores chunks of this backup any more. */
  forget(backupId: string): void {
    this.#leftAt.delete(backupId)
  }
}
