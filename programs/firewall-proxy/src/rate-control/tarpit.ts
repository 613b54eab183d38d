import type { SnapshotService, SnapshotTarpit } from '@palisade/proxy-protocol'
import type { Answer } from '../exchange/answer.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { followUp, isFollowedUp } from '../policy/follow-up.ts'
import type { Policy } from '../policy/policy.ts'

/** Slows clients that an action policy or an access rule has sent there, until they have been silent for a while. */
export class Tarpit {
  readonly #profile: SnapshotTarpit
  /** How many requests of each client wait. */
  readonly #waiting = new Map<string, number>()

  constructor(profile: SnapshotTarpit) {
    this.#profile = profile
  }

  /**
   * Lets a request wait whose client is in the tarpit.
   *
   * @returns what the client gets when too many of its requests wait
   */
  async wait(exchange: Exchange): Promise<Answer | undefined> {
    if (exchange.mode !== 'active' || !isFollowedUp(exchange, 'tarpit')) return undefined
    const { delaySeconds, backlogMax, silenceSeconds } = this.#profile
    const { clientAddress } = exchange
    followUp(exchange, { does: 'tarpit', seconds: silenceSeconds })
    const waiting = this.#waiting.get(clientAddress) ?? 0
    if (waiting >= backlogMax) return { status: 403, resets: true }
    this.#waiting.set(clientAddress, waiting + 1)
    await delay(exchange, delaySeconds * 1000)
    const waitingCount = (this.#waiting.get(clientAddress) ?? 1) - 1
    if (waitingCount > 0) this.#waiting.set(clientAddress, waitingCount)
    else this.#waiting.delete(clientAddress)
    return undefined
  }
}

/** The tarpit of a service; undefined where nothing sends clients there. */
export function tarpitOf({ checks }: SnapshotService, { snapshot }: Policy): Tarpit | undefined {
  if (snapshot === undefined) return undefined
  const all = [...(checks?.urlAcls ?? []), ...snapshot.globalAcls, ...Object.values(snapshot.actions)]
  return all.some((one) => one.followUp?.does === 'tarpit') ? new Tarpit(snapshot.tarpit) : undefined
}

/** Ends early when the client goes away. */
function delay(exchange: Exchange, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(end, ms)
    exchange.leaveTurn = end
    function end(): void {
      clearTimeout(timer)
      exchange.leaveTurn = undefined
      resolve()
    }
  })
}
