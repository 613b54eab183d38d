import { RequestRefused } from '@palisade/platform'
import { type ComputerId, domainOf } from '../computer-id.ts'

/** An agent asks again later, and later still; a commit is through within seconds. */
const retryAfterSeconds = 2

/**
 * How much memory commits may take that are arriving or being made durable. A computer has one commit at a time, since
 * its agent does one backup at a time, and all of them have a bound together.
 */
export class CommitMemory {
  readonly #bytesMax: number
  /** Bytes that are held, by computer. */
  readonly #held = new Map<string, number>()

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  /**
   * Does the work of one commit.
   *
   * @param work is given a function to call before it takes memory, once; what it takes counts until it has ended
   * @throws RequestRefused unavailable, from here and from that function: the same commit may be let in later
   */
  async during<Result>(
    computer: ComputerId,
    work: (take: (sizeBytes: number) => void) => Promise<Result>,
  ): Promise<Result> {
    const domain = domainOf(computer)
    if (this.#held.has(domain)) throw notNow('Another commit of this computer has not ended.')
    this.#held.set(domain, 0)
    try {
      return await work((sizeBytes) => {
        const heldBytes = this.#held.values().reduce((sum, bytes) => sum + bytes, 0)
        if (heldBytes + sizeBytes > this.#bytesMax) throw notNow('Other commits take too much memory.')
        this.#held.set(domain, sizeBytes)
      })
    } finally {
      this.#held.delete(domain)
    }
  }
}

function notNow(why: string): RequestRefused {
  return new RequestRefused('unavailable', why, { headers: { 'retry-after': String(retryAfterSeconds) } })
}
