import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '@palisade/log'
import { type SharedChange, type SharedMemoryMessage, sharedMemoryMax } from '@palisade/proxy-protocol'
import { describe } from '@palisade/start-up'
import { regularly } from '../regularly.ts'
import type { ManagementLink } from './management-link.ts'
import { Outbox } from './outbox.ts'

/** How long changes wait for others; at most the same again goes by until the others have them. */
const intervalMs = 500
const retryMs = 2_000

/** Instances whose changes wait for a management that is away; those that come then are not told. */
const waitingMax = 20_000

/** How many messages are remembered as taken: a management may tell one again after it was started anew. */
const takenMax = 20_000

/** Tells other proxies what this one remembers of clients, and hears what they do, through the management. */
export class SharedMemoryExchange {
  readonly #link: Pick<ManagementLink, 'nextShared'>
  readonly #log: Log
  readonly #waiting = new Map<string, SharedChange>()
  /** Own ones as well. */
  readonly #taken = new Set<string>()
  readonly #outbox: Outbox<SharedMemoryMessage>
  /** Names this run of the proxy: after a restart it gets back what the run before has shared. */
  readonly #sender = randomUUID()

  constructor(link: Pick<ManagementLink, 'share' | 'nextShared'>, log: Log) {
    this.#link = link
    this.#log = log
    this.#outbox = new Outbox({
      next: () => this.#next(),
      bring: (message, signal) => link.share(message, signal),
      log,
      refusal: 'the management does not take what other proxies should know',
    })
  }

  /** Differences to the same counter become one. */
  tell(changes: readonly SharedChange[]): void {
    for (const change of changes) {
      const key = `${change.storage}\n${change.collection}\n${change.instance}`
      const before = this.#waiting.get(key)
      if (before === undefined && this.#waiting.size >= waitingMax) continue
      const isSum = before?.difference !== undefined && change.difference !== undefined
      const difference = isSum ? { difference: before.difference + change.difference } : {}
      this.#waiting.set(key, { ...change, ...difference })
    }
  }

  /** Tells and hears until the signal is aborted. @param onChanges told what other proxies remember */
  async run(onChanges: (changes: readonly SharedChange[]) => void, signal: AbortSignal): Promise<void> {
    await Promise.all([
      regularly(intervalMs, signal, () => this.flush(signal)),
      this.#hear(onChanges, signal),
    ])
  }

  /** Tells what there is; what the management does not take waits for the next time. */
  flush(signal: AbortSignal): Promise<void> {
    return this.#outbox.flush(signal)
  }

  async #hear(onChanges: (changes: readonly SharedChange[]) => void, signal: AbortSignal): Promise<void> {
    let after = ''
    while (!signal.aborted) {
      try {
        const news = await this.#link.nextShared({ after, sender: this.#sender }, signal)
        if (news === undefined) continue
        after = news.next
        const now = Date.now()
        const messages = news.messages.filter(({ id }) => this.#isNew(id))
        onChanges(messages.flatMap(({ changes }) => changes.filter(({ expiresAt }) => expiresAt > now)))
      } catch (error) {
        if (signal.aborted) return
        this.#log.debug({ reason: describe(error) }, 'the management does not tell what other proxies know')
        await pause(retryMs, undefined, { signal }).catch(() => undefined)
      }
    }
  }

  #isNew(id: string): boolean {
    // The management divides messages, and numbers the parts.
    const [ofMessage = id] = id.split(' ')
    if (this.#taken.has(id) || this.#taken.has(ofMessage)) return false
    this.#taken.add(id)
    for (const oldest of this.#taken) {
      if (this.#taken.size <= takenMax) break
      this.#taken.delete(oldest)
    }
    return true
  }

  #next(): SharedMemoryMessage | undefined {
    const now = Date.now()
    const changes: SharedChange[] = []
    for (const [key, change] of this.#waiting) {
      if (changes.length >= sharedMemoryMax.changesOfMessage) break
      this.#waiting.delete(key)
      if (change.expiresAt > now && change.difference !== 0) changes.push(change)
    }
    if (changes.length === 0) return undefined
    const id = randomUUID()
    this.#isNew(id)
    return { id, sender: this.#sender, changes }
  }
}
