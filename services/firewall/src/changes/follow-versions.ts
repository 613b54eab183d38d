import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type Log, notification, type Store } from '@palisade/platform'
import type { Kysely, RawBuilder } from 'kysely'
import type { FirewallTables } from '../tables.ts'

/** How often a server asks whether another one has changed the configuration, where notifications of it do not arrive. */
const followMs = 1_000

/** How often, in seconds, it asks where it hears its own notifications. */
const followHeardSeconds = 10

const topic = 'firewall configuration'

/** By notifications of this topic a server sees whether notifications arrive. Behind a pooler that gives each transaction another connection they do not. */
const echoTopic = 'firewall configuration followed'

/** Tells the other servers of a version once the transaction that makes it has succeeded. */
export function announceVersion(
  { notifications }: Store,
  transaction: Kysely<FirewallTables>,
  version: number,
): Promise<void> {
  return notifications.send(transaction, topic, String(version))
}

/** The same as a call of PostgreSQL, within the statement that makes the version. */
export function versionNotification(version: number): RawBuilder<string> {
  return notification(topic, String(version))
}

/** So long a server waits after it has taken over changes until it takes over the next ones, so that it asks once for many. */
const togetherMs = 50

/** Takes over what other servers change: when they announce it, and else within a second, or within ten after notifications have begun to get lost. */
export class VersionFollower {
  readonly #version: () => number
  readonly #refresh: (announced: number | undefined) => Promise<unknown>
  readonly #log: Log
  readonly #notifications: Store['notifications']
  readonly #tables: Kysely<FirewallTables>
  readonly #echo = randomUUID()
  readonly #stopListening: readonly (() => void)[]
  readonly #timer: NodeJS.Timeout
  #isHeard = false
  #secondsSinceLook = 0
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
    this.#notifications = deps.store.notifications
    this.#tables = deps.store.tables<FirewallTables>()
    this.#stopListening = [
      this.#notifications.listen(topic, {
        heard: (announced) => {
          // After a database was restored, a lower one counts as well.
          this.#announced = Number(announced)
          void this.#follow()
        },
        missed: () => this.#look(),
      }),
      this.#notifications.listen(echoTopic, {
        heard: (echo) => {
          if (echo === this.#echo) this.#isHeard = true
        },
        missed: () => undefined,
      }),
    ]
    this.#timer = setInterval(() => this.#lookUnlessHeard(), followMs).unref()
  }

  #look(): void {
    this.#isToLook = true
    void this.#follow()
  }

  #lookUnlessHeard(): void {
    if (this.#isHeard && ++this.#secondsSinceLook < followHeardSeconds) return
    this.#secondsSinceLook = 0
    this.#isHeard = false
    this.#look()
    // A failure that lasts is logged by the look, which asks the same database.
    this.#notifications.send(this.#tables, echoTopic, this.#echo).catch(() => undefined)
  }

  /** Whether another server has announced a version that the copy does not have yet. */
  get isBehind(): boolean {
    return this.#announced > this.#version()
  }

  close(): void {
    this.#isClosed = true
    for (const stop of this.#stopListening) stop()
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
        // Looks again within a second.
        this.#isHeard = false
      }
      // What was announced has been read, or will be looked for; nothing is asked for again and again.
      if (this.#announced === announced) this.#announced = 0
      await pause(togetherMs, undefined, { ref: false })
    }
    this.#isRefreshing = false
  }
}
