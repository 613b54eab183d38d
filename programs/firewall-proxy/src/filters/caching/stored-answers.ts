/** An answer as it is given to further clients. */
export interface StoredAnswer {
  readonly status: number
  readonly message: string
  /** Names and values in turn. */
  readonly headers: readonly string[]
  readonly body: Buffer
  /** Milliseconds since 1970. */
  readonly keptAt: number
  readonly freshUntil: number
  /** Who judged it: answers that another policy let pass are not for the requests of this one. */
  readonly judge: string
  /** Of the request: the values of the headers on which it depends, by name in lower case. */
  readonly dependsOn: ReadonlyMap<string, string>
  /** The body compressed with gzip; made when somebody first takes it so. */
  compressed?: Buffer
}

/** What an answer takes beside its body and headers, roughly, in bytes. */
const overheadBytes = 512

/** Of one address so many answers are kept that depend on different requests. */
const variantsMax = 16

/** Answers by address, up to a size; those go first that were asked for longest ago. */
export class StoredAnswers {
  readonly #sizeMax: number
  readonly #byAddress = new Map<string, StoredAnswer[]>()
  #size = 0

  /** @param sizeMax in bytes */
  constructor(sizeMax: number) {
    this.#sizeMax = sizeMax
  }

  /** In bytes. */
  get size(): number {
    return this.#size
  }

  /** @param fits whether an answer suits the request @param now in milliseconds since 1970 */
  find(address: string, fits: (answer: StoredAnswer) => boolean, now: number): StoredAnswer | undefined {
    const variants = this.#byAddress.get(address)
    if (variants === undefined) return undefined
    const match = variants.find((answer) => answer.freshUntil > now && fits(answer))
    if (match) {
      this.#byAddress.delete(address)
      this.#byAddress.set(address, variants)
    }
    return match
  }

  /** Keeps an answer in the place of that which depends on the same. */
  keep(address: string, answer: StoredAnswer): void {
    const variants = this.#byAddress.get(address) ?? []
    const others = variants.filter((other) => other.freshUntil > answer.keptAt && !isSame(other, answer))
    this.forget(address)
    const variantsToKeep = [answer, ...others].slice(0, variantsMax)
    this.#byAddress.set(address, variantsToKeep)
    this.#size += sizeOf(address, variantsToKeep)
    this.#shrink()
  }

  /** Counts what was added to an answer that is kept. */
  grow(address: string, bytes: number): void {
    if (!this.#byAddress.has(address)) return
    this.#size += bytes
    this.#shrink()
  }

  forget(address: string): void {
    const variants = this.#byAddress.get(address)
    if (variants === undefined) return
    this.#byAddress.delete(address)
    this.#size -= sizeOf(address, variants)
  }

  #shrink(): void {
    for (const address of this.#byAddress.keys()) {
      if (this.#size <= this.#sizeMax) return
      this.forget(address)
    }
  }
}

function isSame(one: StoredAnswer, other: StoredAnswer): boolean {
  const [a, b] = [one, other].map(({ judge, dependsOn }) => JSON.stringify([judge, ...[...dependsOn].sort()]))
  return a === b
}

/** With the texts that clients choose: an address and the headers on which an answer depends may be far longer than the answer. */
function sizeOf(address: string, variants: readonly StoredAnswer[]): number {
  return variants
    .map(
      ({ body, headers, compressed, dependsOn }) =>
        body.length +
        (compressed?.length ?? 0) +
        headers.join('').length +
        [...dependsOn].flat().join('').length +
        overheadBytes,
    )
    .reduce((sum, size) => sum + size, address.length)
}
