import { randomUUID } from 'node:crypto'
import type { Clock, Log, Store, TextSeal } from '@palisade/platform'
import type { SnapshotChallenges } from '@palisade/proxy-protocol'
import type { Kysely } from 'kysely'
import type { FirewallTables } from '../tables.ts'

/** No order takes longer than this; what a server that has died leaves behind is answered no more then. */
const lifetimeMs = 15 * 60_000

/** How often a server looks which challenges others have. */
const followMs = 1_000

/** What authorities are answered at the moment, by the proxies of every server on the store. */
export class PendingChallenges {
  readonly #tables: Kysely<FirewallTables>
  readonly #seal: TextSeal
  readonly #clock: Clock
  readonly #listeners = new Set<() => void>()
  readonly #log: Log
  #following: NodeJS.Timeout | undefined
  #ids = ''
  #current: SnapshotChallenges | undefined
  #lastLook: Promise<unknown> = Promise.resolve()

  constructor({
    store,
    seal,
    clock,
    log,
  }: {
    readonly store: Store
    readonly seal: TextSeal
    readonly clock: Clock
    readonly log: Log
  }) {
    this.#tables = store.tables<FirewallTables>()
    this.#seal = seal
    this.#clock = clock
    this.#log = log
  }

  /** Looks for challenges of other servers from now on. */
  follow(): void {
    let isFailing = false
    this.#following ??= setInterval(() => {
      this.#look().then(
        () => {
          isFailing = false
        },
        (err: unknown) => {
          if (!isFailing)
            this.#log.error({ err }, 'the challenges of certificate authorities could not be read')
          isFailing = true
        },
      )
    }, followMs).unref()
  }

  /** The same object until it changes; undefined for none. */
  current(): SnapshotChallenges | undefined {
    return this.#current
  }

  /** Calls the listener whenever there are others. It must not throw. */
  onChange(listener: () => void): void {
    this.#listeners.add(listener)
  }

  /**
   * Has these answered as well.
   *
   * @returns ends that
   */
  async add(challenges: SnapshotChallenges): Promise<() => Promise<void>> {
    const id = randomUUID()
    const document = this.#seal.seal(JSON.stringify(challenges), id)
    const expires = this.#clock.now() + lifetimeMs
    await this.#tables
      .insertInto('firewall_acme_challenge')
      .values({ id, document, expires_at: expires })
      .execute()
    await this.#look()
    return async () => {
      await this.#tables.deleteFrom('firewall_acme_challenge').where('id', '=', id).execute()
      await this.#look()
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#following)
    await this.#lastLook.catch(() => undefined)
  }

  #look(): Promise<void> {
    const done = this.#lastLook.catch(() => undefined).then(() => this.#read())
    this.#lastLook = done
    return done
  }

  async #read(): Promise<void> {
    const rows = await this.#tables
      .selectFrom('firewall_acme_challenge')
      .select(['id', 'expires_at'])
      .orderBy('id')
      .execute()
    const now = this.#clock.now()
    if (rows.some(({ expires_at: end }) => end <= now)) {
      await this.#tables.deleteFrom('firewall_acme_challenge').where('expires_at', '<=', now).execute()
    }
    const ids = rows.filter(({ expires_at: end }) => end > now).map(({ id }) => id)
    if (ids.join() === this.#ids) return
    this.#current = await this.#challenges(ids)
    this.#ids = ids.join()
    for (const listener of this.#listeners) listener()
  }

  async #challenges(ids: readonly string[]): Promise<SnapshotChallenges | undefined> {
    if (ids.length === 0) return undefined
    const rows = await this.#tables
      .selectFrom('firewall_acme_challenge')
      .select(['id', 'document'])
      .where('id', 'in', ids)
      .orderBy('id')
      .execute()
    const all = rows.map(({ id, document }): SnapshotChallenges => JSON.parse(this.#seal.open(document, id)))
    return { http: all.flatMap(({ http }) => http), tls: all.flatMap(({ tls }) => tls) }
  }
}
