/**
 * What only one server of those that share a PostgreSQL may have: an advisory lock, which PostgreSQL gives back when the connection
 * of its holder ends, however that happens. It is held by a transaction that stays open, since a pooler between may give each
 * transaction another connection, and that reads nothing, so that it keeps nothing from being vacuumed.
 */
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { connectToPrimary, PostgresServers } from './postgres-servers.ts'

/** Tells our advisory locks from those of others in the database: "pali". */
const lockClass = 0x70616c69
const retryAfterMs = 1000
/** How often the holder looks whether its connection is still there. */
const lookEveryMs = 3_000
/** How long PostgreSQL is given for each answer. */
const answerMaxMs = 5_000
/**
 * PostgreSQL takes a machine for dead that acknowledges nothing for nine seconds, whether it was sent something or not, and a process that
 * says nothing for fifteen: the machine of one that is stopped or hangs goes on acknowledging.
 */
const endsWithItsHolder = [
  'tcp_keepalives_idle = 3',
  'tcp_keepalives_interval = 2',
  'tcp_keepalives_count = 3',
  'tcp_user_timeout = 9000',
  'idle_in_transaction_session_timeout = 15000',
]
/** So long it may take until what a dead machine had is free; whoever has it then lives. */
const freedWithinMs = 20_000

/** What is wanted, and who hears of others that have it. */
export interface ClaimRequest {
  readonly name: string
  /** Called once when another server has it and this one begins to wait for it. */
  readonly onWait: () => void
  /** Called when the connection was lost and another server has come in between. The claim goes on trying. */
  readonly onLost: () => void
  /** How long another server is waited for; by default as long as one that has died may seem to live. */
  readonly waitMs?: number
  /** When it is aborted, nobody waits any longer. */
  readonly signal?: AbortSignal
}

/** Something that no other server has until it is released. */
export interface Claim {
  /** False while its connection is lost: another server may have it then. */
  readonly isHeld: boolean
  release(): Promise<void>
}

/** A claim in a PostgreSQL. When its connection is lost, it is taken again as soon as there is a new one. */
export class PostgresClaim implements Claim {
  readonly #servers: PostgresServers
  readonly #request: ClaimRequest
  readonly #released = new AbortController()
  #client: pg.Client | undefined
  #takingAgain: Promise<void> | undefined

  /** @returns undefined when another server has it, and has had it all the while that this one waited */
  static async take(address: string, request: ClaimRequest): Promise<Claim | undefined> {
    const claim = new PostgresClaim(address, request)
    const end = () => claim.#released.abort()
    request.signal?.addEventListener('abort', end)
    if (request.signal?.aborted) end()
    try {
      return (await claim.#takeWaiting(request.onWait)) ? claim : undefined
    } finally {
      request.signal?.removeEventListener('abort', end)
    }
  }

  private constructor(address: string, request: ClaimRequest) {
    this.#servers = new PostgresServers(address)
    this.#request = request
  }

  get isHeld(): boolean {
    return this.#client !== undefined
  }

  async release(): Promise<void> {
    this.#released.abort()
    await this.#takingAgain
    await this.#client?.end()
  }

  async #takeWaiting(onWait: () => void): Promise<boolean> {
    const { signal } = this.#released
    const until = performance.now() + (this.#request.waitMs ?? freedWithinMs)
    for (let attempt = 1; !signal.aborted; attempt++) {
      if (await this.#takeNow()) return true
      if (performance.now() >= until) return false
      if (attempt === 1) onWait()
      await this.#pause()
    }
    return false
  }

  /** Ends early when the claim is released. */
  async #pause(): Promise<void> {
    await delay(retryAfterMs, undefined, { signal: this.#released.signal }).catch(() => undefined)
  }

  async #takeNow(): Promise<boolean> {
    const client = await connectToPrimary(this.#servers, { answerMaxMs, signal: this.#released.signal })
    let isTaken = false
    try {
      await client.query('BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY')
      for (const setting of endsWithItsHolder) await client.query(`SET LOCAL ${setting}`)
      isTaken = await lock(client, this.#request.name)
    } finally {
      if (!isTaken) await client.end()
    }
    if (isTaken) this.#keep(client)
    return isTaken
  }

  #keep(client: pg.Client): void {
    this.#client = client
    const looking = setInterval(() => {
      client.query('SELECT 1').catch(() => client.end())
    }, lookEveryMs)
    client.once('end', () => {
      clearInterval(looking)
      this.#client = undefined
      if (!this.#released.signal.aborted) this.#takingAgain = this.#takeAgain()
    })
  }

  async #takeAgain(): Promise<void> {
    const { signal } = this.#released
    while (!signal.aborted) {
      try {
        if (await this.#takeWaiting(() => undefined)) return
        if (!signal.aborted) this.#request.onLost()
      } catch {
        // Nobody else can have it while PostgreSQL cannot be reached; whoever asks something of the store hears why.
      }
      await this.#pause()
    }
  }
}

/**
 * Installations in other schemas of the same database have locks of their own. The query has no parameters, since one that has would
 * keep its snapshot for as long as the transaction is idle.
 */
async function lock(client: pg.Client, name: string): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>(
    `SELECT pg_try_advisory_xact_lock(${lockClass}, hashtext(concat(current_schema(), ' ', ${pg.escapeLiteral(name)}))) AS taken`,
  )
  return rows[0]?.taken === true
}
