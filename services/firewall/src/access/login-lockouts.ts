import { setTimeout } from 'node:timers/promises'
import { type Clock, digestOf, networkName, type Store, tooManyRequests } from '@palisade/platform'
import { FailureCounts, type LockoutSettings, type LoginSource } from './failure-counts.ts'
import { FamiliarNetworks } from './familiar-networks.ts'

/** The failure after which the next attempt has to wait for the first time. */
const firstPausedFailure = 3
const firstPauseMs = 200
const pauseMaxMs = 5_000

/** How long an attempt waits for those before it that have to wait themselves. */
const patienceMs = 10_000

/** Attempts with one name from one network, which run one after the other. */
interface Queue {
  last: Promise<unknown>
  /** Whether the last one had to wait after it had failed. */
  isPaused: boolean
}

/**
 * Makes guessing of passwords slow, and locks a name for a network after too many failures, whether there is an
 * administrator of that name or not, so that neither the reply nor its time tells. From other networks he still
 * gets in. What fails far more often, a name from many networks or a network with many names, is locked except
 * where a name was logged in with before. One of those who may change everything is never locked where he was logged in before.
 *
 * Attempts with one name from one network run one after the other, so that a crowd of them counts in full.
 */
export class LoginLockouts {
  readonly #counts: FailureCounts
  readonly #familiar: FamiliarNetworks
  readonly #unlimitedNames: () => readonly string[]
  readonly #queues = new Map<string, Queue>()

  /** @param deps unlimitedNames tells who may change everything at the moment */
  constructor(deps: {
    store: Store
    clock: Clock
    settings: () => LockoutSettings
    unlimitedNames: () => readonly string[]
  }) {
    this.#counts = new FailureCounts(deps)
    this.#familiar = new FamiliarNetworks(deps)
    this.#unlimitedNames = deps.unlimitedNames
  }

  /**
   * Runs one login. After the third failure and later ones, the reply comes after a pause that doubles.
   *
   * @param address where the login comes from
   * @returns what it found; undefined also when it is locked, after the same work
   * @throws RequestRefused too-many-requests when others with this name and from this network have been waiting for
   *   ten seconds; then nothing was run
   */
  async attempt<T>(
    name: string,
    address: string,
    login: () => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const source = { nameDigest: digestOf(name), network: networkName(address) }
    const key = `${source.nameDigest} ${source.network}`
    const queue = this.#queues.get(key) ?? { last: Promise.resolve(), isPaused: false }
    this.#queues.set(key, queue)
    const arrivedAt = performance.now()
    const turn = queue.last.then(() => {
      if (queue.isPaused && performance.now() - arrivedAt > patienceMs) {
        throw tooManyRequests('Too many logins with this name from this address. Try again.', pauseMaxMs)
      }
      return this.#attempt(source, queue, login)
    })
    const settled = turn.catch(() => undefined)
    queue.last = settled
    try {
      return await turn
    } finally {
      if (queue.last === settled) this.#queues.delete(key)
    }
  }

  async #attempt<T>(
    source: LoginSource,
    queue: Queue,
    login: () => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const outcome = await login()
    // Asked for afterwards: another server may have counted failures in the meantime.
    const { hasFailed, isLocked, isCrowded } = await this.#counts.locks(source)
    queue.isPaused = false
    if ((isLocked || isCrowded) && !(await this.#mayPass(source, isLocked))) return undefined
    if (outcome === undefined) {
      const pauseMs = pauseAfter(await this.#counts.add(source))
      queue.isPaused = pauseMs > 0
      await setTimeout(pauseMs, undefined, { ref: false })
      return undefined
    }
    if (hasFailed) await this.#counts.forget(source)
    await this.#familiar.remember(source)
    return outcome
  }

  /** Whether a source is heard although there were too many failures. */
  async #mayPass(source: LoginSource, isLocked: boolean): Promise<boolean> {
    if (!(await this.#familiar.isFamiliar(source))) return false
    return !isLocked || (await this.#isLastToGetIn(source))
  }

  /** Whether, with this name locked, nobody who may change everything would get in from a network where he did before. */
  async #isLastToGetIn({ nameDigest, network }: LoginSource): Promise<boolean> {
    const unlimited = new Set(this.#unlimitedNames().map(digestOf))
    if (!unlimited.delete(nameDigest)) return false
    const open = await this.#familiar.openNames(network)
    return !open.some((other) => unlimited.has(other))
  }
}

function pauseAfter(failures: number): number {
  if (failures < firstPausedFailure) return 0
  return Math.min(pauseMaxMs, firstPauseMs * 2 ** (failures - firstPausedFailure))
}
