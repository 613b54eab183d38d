import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '@palisade/log'
import { type Kysely, sql } from 'kysely'
import pg from 'pg'
import { StoreUnavailable } from './store-unavailable.ts'

/** How long a replica is waited for that lacks what the primary has. */
const replayMaxMs = 50
const askAgainAfterMs = 5
/** How long a replica is given for one query: the primary can be asked as well. */
export const replicaQueryMaxMs = 3_000
/** How long a replica is left alone after it could not be used: twice as long each time, since one may be behind for a moment only. */
const restMinMs = 100
const restMaxMs = 5_000
const logAtMostEveryMs = 60_000

/** How many lists were read from replicas, and how many from the primary since no replica could be used. */
export interface ListReads {
  readonly replica: number
  readonly primary: number
}

/** A server that may be a replica. */
export interface PossibleReplica {
  readonly queries: Kysely<unknown>
  /** Whether it was the primary the last time that one was looked for. */
  isPrimary(): boolean
}

/** What a replica has to have. */
interface Position {
  readonly system: string
  readonly timeline: number
  readonly lsn: string
}

/** A replica that does not have what the primary has. */
class ReplicaBehind extends Error {
  override readonly name = 'ReplicaBehind'
}

/** The most lists that one server reads at a time from one replica; the primary reads what comes meanwhile. */
export const readsAtReplicaMax = 4

/**
 * The replicas among the servers of an address, for reads that may take long. None misses what the primary had when the read began: the primary says
 * where its log ends, and a replica that has not replayed it so far is not read. Whatever is wrong with a replica, the primary is read.
 */
export class PostgresReplicas {
  readonly #primary: Kysely<unknown>
  readonly #replicas: readonly Replica[]
  readonly #log: Log | undefined
  readonly #reads = { replica: 0, primary: 0 }
  #next = 0
  #loggedAt = Number.NEGATIVE_INFINITY

  /** @param log is told of replicas that cannot be used */
  constructor(primary: Kysely<unknown>, servers: readonly PossibleReplica[], log: Log | undefined) {
    this.#primary = primary
    this.#replicas = servers.map((server) => new Replica(server))
    this.#log = log
  }

  get reads(): ListReads {
    return this.#reads
  }

  /** @param work only reads; it is done again at the primary when a replica fails */
  async read<Result>(work: (queries: Kysely<unknown>) => Promise<Result>): Promise<Result> {
    const fromReplica = await this.#readAtReplica(work)
    if (fromReplica !== undefined) {
      this.#reads.replica++
      return fromReplica.result
    }
    this.#reads.primary++
    return work(this.#primary)
  }

  async close(): Promise<void> {
    await Promise.all(this.#replicas.map((replica) => replica.queries.destroy()))
  }

  async #readAtReplica<Result>(
    work: (queries: Kysely<unknown>) => Promise<Result>,
  ): Promise<{ readonly result: Result } | undefined> {
    const replica = this.#takeReplica()
    if (replica === undefined) return undefined
    // A primary that is away says nothing of the replica.
    let isReplicasFault: (error: unknown) => boolean = isOfStatement
    try {
      const position = await positionOf(this.#primary)
      isReplicasFault = () => true
      // A pooler between may lead to another replica with each transaction.
      const transaction = replica.queries
        .transaction()
        .setIsolationLevel('read committed')
        .setAccessMode('read only')
      const result = await transaction.execute(async (queries) => {
        await requireReplayed(queries, position)
        isReplicasFault = (error) => !isOfStatement(error)
        return work(queries)
      })
      replica.succeeded()
      return { result }
    } catch (error) {
      if (!isOfDatabase(error)) throw error
      if (isReplicasFault(error)) {
        replica.failed()
        this.#tell(error)
      }
      return undefined
    } finally {
      replica.reads--
    }
  }

  /** The next one in turn that can be used. */
  #takeReplica(): Replica | undefined {
    for (let step = 0; step < this.#replicas.length; step++) {
      const replica = this.#replicas[this.#next++ % this.#replicas.length]
      if (replica?.take()) return replica
    }
    return undefined
  }

  #tell(err: unknown): void {
    if (performance.now() < this.#loggedAt + logAtMostEveryMs) return
    this.#loggedAt = performance.now()
    this.#log?.warn({ err }, 'a replica of the database cannot be read; lists are read from the primary')
  }
}

/** What is remembered of one of them. */
class Replica {
  readonly queries: Kysely<unknown>
  readonly #isPrimary: () => boolean
  reads = 0
  #restMs = restMinMs
  #restsUntil = 0

  constructor({ queries, isPrimary }: PossibleReplica) {
    this.queries = queries
    this.#isPrimary = isPrimary
  }

  /** @returns false when it cannot be used now; else {@link reads} counts one more */
  take(): boolean {
    const now = performance.now()
    if (this.#isPrimary() || this.reads >= readsAtReplicaMax || now < this.#restsUntil) return false
    // Of one that has failed one caller finds out whether it can be used again.
    if (this.#restsUntil > 0) this.#restsUntil = now + this.#restMs
    this.reads++
    return true
  }

  succeeded(): void {
    this.#restMs = restMinMs
    this.#restsUntil = 0
  }

  failed(): void {
    this.#restsUntil = performance.now() + this.#restMs
    this.#restMs = Math.min(2 * this.#restMs, restMaxMs)
  }
}

/**
 * Where the log of the primary ends. What is not yet written counts, too: with `synchronous_commit = off` a change may be acknowledged before. The timeline
 * tells a former primary that has changes of its own from a replica that is as far.
 */
async function positionOf(primary: Kysely<unknown>): Promise<Position> {
  const { rows } = await sql<Position>`SELECT system_identifier::text AS system, lsn::text AS lsn,
      ('x' || left(pg_walfile_name(lsn), 8))::bit(32)::int AS timeline
    FROM pg_control_system(), pg_current_wal_insert_lsn() AS lsn`.execute(primary)
  if (rows[0] === undefined) throw new ReplicaBehind('the primary does not say where its log ends')
  return rows[0]
}

/**
 * Waits a short time until a replica has all that its primary had. What is read in the same statement would not do: its snapshot is older. What follows in the
 * same transaction is ended by the replica when nobody waits for it any longer.
 *
 * @throws ReplicaBehind
 */
async function requireReplayed(queries: Kysely<unknown>, position: Position): Promise<void> {
  const { system, timeline, lsn } = position
  const until = performance.now() + replayMaxMs
  for (;;) {
    const { rows } = await sql<{ has: boolean | null }>`SELECT pg_is_in_recovery()
        AND pg_last_wal_replay_lsn() >= ${lsn}::pg_lsn
        AND greatest(timeline_id, min_recovery_end_timeline) = ${timeline}
        AND system_identifier::text = ${system} AS has,
        set_config('statement_timeout', ${String(replicaQueryMaxMs)}, true)
      FROM pg_control_system(), pg_control_checkpoint(), pg_control_recovery()`.execute(queries)
    if (rows[0]?.has === true) return
    if (performance.now() >= until) throw new ReplicaBehind('it does not have what the primary has')
    await pause(askAgainAfterMs)
  }
}

/** Whether the reason lies with the database, and not with what was read. */
function isOfDatabase(error: unknown): boolean {
  return (
    error instanceof StoreUnavailable || error instanceof pg.DatabaseError || error instanceof ReplicaBehind
  )
}

/** Whether only this statement failed, as in a conflict with what the replica replays; one that took too long may have made the replica wait. */
function isOfStatement(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code !== queryCanceled
}

const queryCanceled = '57014'
