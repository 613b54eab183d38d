import {
  type Actor,
  type AuditTables,
  type Clock,
  type Log,
  networkName,
  type Store,
  writeAuditEntry,
} from '@palisade/platform'

/** A login, or a question for a password in a session, that was refused. */
export interface RefusedLogin {
  /** Null for refusals from many addresses. */
  readonly address: string | null
  /** `refuseLogIn`, or `refuseConfirmation` in a session. */
  readonly action: 'refuseLogIn' | 'refuseConfirmation'
  /**
   * The operator who was tried; null where no operator has the name that was sent. Such a name is not told: people type their passwords into
   * the wrong field, and the audit log forgets nothing.
   */
  readonly username: string | null
  /** A provider of OpenID Connect that the caller came from, and who he is there. */
  readonly provider?: string | undefined
  readonly subject?: string | undefined
  /** Why, in a sentence. */
  readonly reason: string
}

interface Counted extends RefusedLogin {
  /** Milliseconds since 1970. */
  since: number
  /** Refusals after the one that was written. */
  count: number
}

/** Refusals alike are one entry for so long. */
const windowMs = 60_000
/** Different refusals that are told apart within that time; the others are one. */
const differentMax = 200

/**
 * Writes refused logins into the audit log, so that a flood of them fills nothing: the first of an address, operator and reason at once, and how
 * many followed within a minute when that has passed. What a server counts when it dies is lost, and no first one is.
 */
export class RefusedLogins {
  readonly #store: Store
  readonly #clock: Clock
  readonly #log: Log
  readonly #counted = new Map<string, Counted>()
  readonly #timer: NodeJS.Timeout

  constructor(deps: { store: Store; clock: Clock; log: Log }) {
    this.#store = deps.store
    this.#clock = deps.clock
    this.#log = deps.log
    this.#timer = setInterval(() => void this.#writePassed(), windowMs)
    this.#timer.unref()
  }

  /** Returns when the entry is durable, where one is written; a store that takes none is told of in the log. */
  async note(refused: RefusedLogin): Promise<void> {
    await this.#writePassed()
    const { address, action, username, provider, subject, reason } = refused
    const own = JSON.stringify([networkName(address ?? ''), action, username, provider, subject, reason])
    const isTooMany = !this.#counted.has(own) && this.#counted.size >= differentMax
    const name = isTooMany ? '' : own
    const earlier = this.#counted.get(name)
    if (earlier !== undefined) {
      earlier.count++
      return
    }
    const first = isTooMany ? { ...others, action } : refused
    this.#counted.set(name, { ...first, since: this.#clock.now(), count: 0 })
    await this.#write(first, 1)
  }

  /** Writes what was counted. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#writeAll([...this.#counted.keys()])
  }

  async #writePassed(): Promise<void> {
    const now = this.#clock.now()
    // The clock may have been set back.
    const passed = [...this.#counted].filter(([, { since }]) => Math.abs(now - since) >= windowMs)
    await this.#writeAll(passed.map(([name]) => name))
  }

  async #writeAll(names: readonly string[]): Promise<void> {
    const refusals = names.flatMap((name) => this.#counted.get(name) ?? [])
    for (const name of names) this.#counted.delete(name)
    for (const { since: _, count, ...refused } of refusals) {
      if (count > 0) await this.#write(refused, count)
    }
  }

  async #write({ address, action, username, ...after }: RefusedLogin, count: number): Promise<void> {
    const isOfSession = action === 'refuseConfirmation'
    const actor: Actor = {
      kind: isOfSession ? 'operator' : 'anonymous',
      name: isOfSession ? (username ?? '') : '',
      address,
    }
    const target = username === null ? '/session' : `/operators/${encodeURIComponent(username)}`
    const entry = {
      actor,
      service: 'administration',
      action,
      target,
      before: null,
      after: { ...after, count },
    }
    try {
      await writeAuditEntry(this.#store.tables<AuditTables>(), entry, this.#clock.now())
    } catch (err) {
      this.#log.error({ err }, 'a refused login could not be written into the audit log')
    }
  }
}

/** What is told of refusals beyond {@link differentMax}. */
const others = {
  address: null,
  username: null,
  reason: 'Many different logins were refused at once: these are not told apart.',
} as const
