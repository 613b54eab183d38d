import { createHash } from 'node:crypto'
import type { SnapshotAuthentication } from '@palisade/proxy-protocol'
import { clientNetwork } from '../../exchange/client-network.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import type { ServiceMemory } from '../../policy/traffic-memory.ts'

/** What keeps somebody from trying further passwords. */
export interface FailureLimit {
  /** As policies name it. */
  readonly attack: 'brute-force-from-ip' | 'brute-force-from-all-sources'
  /** A sentence. */
  readonly detail: string
  /** When the next password is taken. */
  readonly waitSeconds: number
}

/** Counts failed logins of each user and from each network, all workers of a proxy together. */
export class FailureLimits {
  readonly #settings: SnapshotAuthentication
  readonly #memory: ServiceMemory

  constructor(settings: SnapshotAuthentication, memory: ServiceMemory) {
    this.#settings = settings
    this.#memory = memory
  }

  /**
   * Counts an attempt as failed before it is known, so that many at once are not more than one after the other.
   *
   * @returns what says that it has succeeded, or why it is not made
   */
  attempt(user: string, exchange: Exchange): { readonly succeed: () => void } | FailureLimit {
    const { limitsFailures, failuresMax, failureWindowSeconds } = this.#settings
    if (!limitsFailures) return { succeed: () => undefined }
    const now = exchange.runtime.now()
    const counterOf = (key: string) => this.#memory.counter(key, now, failureWindowSeconds * 1000)
    const ofNetwork = counterOf(`failed logins from ${clientNetwork(exchange.clientAddress)}`)
    const ofUser = counterOf(`failed logins of ${createHash('sha256').update(user).digest('base64url')}`)
    const limit = (attack: FailureLimit['attack'], whose: string): FailureLimit => ({
      attack,
      detail: `${whose} failed to log in ${failuresMax} times in ${failureWindowSeconds} seconds.`,
      waitSeconds: failureWindowSeconds,
    })
    if (ofNetwork.count >= failuresMax) return limit('brute-force-from-ip', 'The client')
    if (ofUser.count >= failuresMax) return limit('brute-force-from-all-sources', 'One user')
    for (const counter of [ofNetwork, ofUser]) counter.add(1)
    return {
      succeed: () => {
        for (const counter of [ofNetwork, ofUser]) counter.add(-1)
      },
    }
  }
}
