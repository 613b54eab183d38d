import { tooManyRequests } from '@palisade/platform'
import { type ComputerId, domainOf } from '../computer-id.ts'

/** An agent tries again later; one of its uploads is through within seconds. */
const retryAfterMs = 2000

/**
 * How many uploads of a computer are open at once. Each holds the memory of a chunk, of many names or of a picture while it arrives,
 * however slowly, and an agent sends no more than one for each of its jobs.
 */
export class OpenUploads {
  readonly #uploadsMax: number
  readonly #counts = new Map<string, number>()

  constructor(uploadsMax: number) {
    this.#uploadsMax = uploadsMax
  }

  /**
   * Receives one upload.
   *
   * @throws RequestRefused too-many-requests where too many are open; the same upload may be let in later
   */
  async during<Result>(computer: ComputerId, work: () => Promise<Result>): Promise<Result> {
    const domain = domainOf(computer)
    const count = this.#counts.get(domain) ?? 0
    if (count >= this.#uploadsMax) {
      throw tooManyRequests('Too many uploads of this computer have not ended.', retryAfterMs)
    }
    this.#counts.set(domain, count + 1)
    try {
      return await work()
    } finally {
      const others = (this.#counts.get(domain) ?? 1) - 1
      if (others > 0) this.#counts.set(domain, others)
      else this.#counts.delete(domain)
    }
  }
}
