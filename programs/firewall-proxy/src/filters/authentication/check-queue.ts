/** Too many checks of passwords wait for their turn. */
export class TooManyChecks extends Error {}

/** How much is done at once, and how much waits. */
export interface TurnLimits {
  readonly concurrentMax: number
  readonly waitingMax: number
  /** How many checks of one network may wait. */
  readonly waitingOfOneMax: number
}

/** Has checks of passwords done one after the other, so that a flood of logins takes neither memory nor processors from requests. */
export class CheckQueue {
  readonly #limits: TurnLimits
  readonly #waiting: { readonly network: string; readonly begin: () => void }[] = []
  #running = 0

  constructor(limits: TurnLimits) {
    this.#limits = limits
  }

  /**
   * @param network that of the client: each may have a few checks waiting
   * @throws TooManyChecks
   */
  async run<Result>(network: string, check: () => Promise<Result>): Promise<Result> {
    if (this.#running >= this.#limits.concurrentMax) await this.#turn(network)
    else this.#running++
    try {
      return await check()
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#running--
      else next.begin()
    }
  }

  #turn(network: string): Promise<void> {
    const ofOne = this.#waiting.filter((one) => one.network === network).length
    const { waitingMax, waitingOfOneMax } = this.#limits
    if (this.#waiting.length >= waitingMax || ofOne >= waitingOfOneMax) throw new TooManyChecks()
    return new Promise((begin) => this.#waiting.push({ network, begin }))
  }
}
