import { setTimeout } from 'node:timers/promises'
import type { Log, Store } from '@palisade/platform'
import type { Kysely } from 'kysely'
import type { FirewallTables } from '../tables.ts'

/** How often a server asks whether another one has changed the configuration, in case no notification of it arrives. */
const followMs = 1000

const topic = 'firewall configuration'

/** Tells the other servers of a version once the transaction that makes it has succeeded. */
export function announceVersion(
  { notifications }: Store,
  transaction: Kysely<FirewallTables>,
  version: number,
): Promise<void> {
  return notifications.send(transaction, topic, String(version))
}

/** So long a server waits after it has taken over changes until it takes over the next ones, so that it asks once for many. */
const togetherMs = 20

/** Takes over what other servers change: when they announce it, and else within a second. */
export class VersionFollower {
  readonly #version: () => number
  readonly #refresh: (announced: number | undefined) => Promise<unknown>
  readonly #log: Log
  readonly #stopListening: () => void
  readonly #timer: NodeJS.Timeout
  #announced = 0
  #isFailing = false
  #isRefreshing = false
  #isToLook = false
  #isClosed = false

  /**
   * @param deps.version that of the copy
   * @param deps.refresh brings the copy up to date; never called while it still does. It is told the version that was
   *   announced, or undefined to look whether there is a newer one. Its failure is logged once, until it succeeds
   */
  constructor(deps: {
    readonly store: Store
    readonly log: Log
    readonly version: () => number
    readonly refresh: (announced: number | undefined) => Promise<unknown>
  }) {
    this.#version = deps.version
    this.#refresh = deps.refresh
    this.#log = deps.log
    const look = () => {
      this.#isToLook = true
      void this.#follow()
    }
    this.#stopListening = deps.store.notifications.listen(topic, {
      heard: (announced) => {
        // After a database was restored, a lower one counts as well.
        this.#announced = Number(announced)
        void this.#follow()
      },
      missed: look,
    })
    this.#timer = setInterval(look, followMs).unref()
  }

  /** Whether another server has announced a version that the copy does not have yet. */
  get isBehind(): boolean {
    return this.#announced > this.#version()
  }

  close(): void {
    this.#isClosed = true
    this.#stopListening()
    clearInterval(this.#timer)
  }

  async #follow(): Promise<void> {
    if (this.#isRefreshing) return
    this.#isRefreshing = true
    while (!this.#isClosed && (this.#isToLook || this.isBehind)) {
      const announced = this.#announced
      const isToLook = this.#isToLook
      this.#isToLook = false
      try {
        await this.#refresh(isToLook ? undefined : announced)
        this.#isFailing = false
      } catch (error) {
        if (!this.#isFailing) this.#log.error({ err: error }, "the configuration's version could not be read")
        this.#isFailing = true
      }
      // What was announced has been read, or will be looked for; nothing is asked for again and again.
      if (this.#announced === announced) this.#announced = 0
      await setTimeout(togetherMs, undefined, { ref: false })
    }
    this.#isRefreshing = false
  }
}
