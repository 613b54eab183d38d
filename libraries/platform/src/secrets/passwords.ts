import { randomBytes } from 'node:crypto'
import { type Algorithm, hash, verify } from '@node-rs/argon2'
import { HashingQueue } from './hashing-queue.ts'

/**
 * How many characters a password, or another secret that opens something, has at least where a configuration gives it: as many as the
 * firewall's password policy asks of its administrators unless it is changed.
 */
export const newSecretLengthMin = 8

/** What a hash costs whoever guesses. */
export interface HashingCost {
  /** In KiB. */
  readonly memoryCost: number
  /** Passes over the memory. */
  readonly timeCost: number
}

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane. */
const usualCost: HashingCost = { memoryCost: 19_456, timeCost: 2 }

const variant = { algorithm: 2 as Algorithm.Argon2id, parallelism: 1 }

/**
 * Hashes and checks passwords with argon2id. The turns for it may be shared: then each who has them waits for its
 * own work, and for no crowd of another's.
 */
export class Passwords {
  readonly #decoy: string
  readonly #turns: HashingQueue
  readonly #cost: HashingCost

  /** @param cost less than the usual one is for tests alone */
  constructor(turns = new HashingQueue(), cost = usualCost) {
    this.#decoy = hashOfNothing(cost)
    this.#turns = turns
    this.#cost = cost
  }

  hash(password: string): Promise<string> {
    return this.#turns.run(this, () => hash(password, { ...variant, ...this.#cost }))
  }

  /**
   * Whether the password is the one that was hashed. Where there is no such user, `stored` is undefined: the
   * answer is false after the same work, so that its duration does not tell which names exist.
   */
  async matches(password: string, stored: string | undefined): Promise<boolean> {
    const matched = await this.#turns.run(this, () => verify(stored ?? this.#decoy, password))
    return matched && stored !== undefined
  }
}

/** What has the form of a hash (the PHC string format) and is that of no password. */
function hashOfNothing({ memoryCost, timeCost }: HashingCost): string {
  const [salt, digest] = [16, 32].map((size) => randomBytes(size).toString('base64').replace(/=+$/, ''))
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${variant.parallelism}$${salt}$${digest}`
}
