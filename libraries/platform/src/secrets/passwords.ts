import { type Algorithm, hash, verify } from '@node-rs/argon2'
import { newSecret } from './tokens.ts'

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane. */
const parameters = { algorithm: 2 as Algorithm.Argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/**
 * Hashes and checks passwords with argon2id. Only a few run at once, so that a flood of logins costs time
 * but not the machine's memory; the others wait in order.
 */
export class Passwords {
  readonly #waiting: (() => void)[] = []
  readonly #decoy = hash(newSecret(), parameters)
  readonly #concurrentMax: number
  #running = 0

  /** @param concurrentMax how many hashes may be computed at the same time; each takes 19 MiB */
  constructor(concurrentMax = 2) {
    this.#concurrentMax = concurrentMax
  }

  hash(password: string): Promise<string> {
    return this.#inTurn(() => hash(password, parameters))
  }

  /**
   * Whether the password is the one that was hashed. Where there is no such user, `stored` is undefined: the
   * answer is false after the same work, so that its duration does not tell which names exist.
   */
  async matches(password: string, stored: string | undefined): Promise<boolean> {
    const expected = stored ?? (await this.#decoy)
    const matched = await this.#inTurn(() => verify(expected, password))
    return matched && stored !== undefined
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#concurrentMax)
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    else this.#running++
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running--
    }
  }
}
