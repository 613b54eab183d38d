import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import pg from 'pg'
import { readsAtReplicaMax, replicaQueryMaxMs } from './postgres-replicas.ts'
import type { PostgresServers } from './postgres-servers.ts'
import { StoreUnavailable } from './store-unavailable.ts'

const connectionsMax = 10
/** How long a caller waits for a connection, a free one or a new one. */
const connectMaxMs = 10_000
/** How long PostgreSQL is given for one query. A path that swallows bytes looks like a query that takes forever. */
const queryMaxMs = 60_000
/** An idle connection whose path was cut is noticed by its keep-alives. */
const keepAliveAfterMs = 10_000
/** An idle connection is kept until then: what is asked every few seconds needs no new one each time. */
const idleMaxMs = 60_000

/**
 * By default PostgreSQL learns only after two hours that a machine has gone, and what its transactions had locked stays locked for so long. It is
 * given twenty seconds to acknowledge something.
 */
const endsWithItsMachine = [
  'SET tcp_keepalives_idle = 5',
  'SET tcp_keepalives_interval = 5',
  'SET tcp_keepalives_count = 3',
  'SET tcp_user_timeout = 20000',
].join(';')

/** How long a connection to a replica is waited for. */
const replicaConnectMaxMs = 500

/** PostgreSQL sends 64-bit integers as text; ours are milliseconds and bytes below 2^53. */
const bigintOid = 20

/** PostgreSQL's own words for: it shuts down, starts, has no connection left, is a replica, or lost its client. */
const sqlStatesOfUnavailable = /^(08|57P0[123]|53300|25006)/

/** How long the pool waits, where it is not to wait as long as usual. */
export interface PoolLimits {
  readonly connectMaxMs?: number
  readonly queryMaxMs?: number
}

/**
 * Connections to PostgreSQL, each wait for which has a bound. What fails because PostgreSQL cannot be reached fails with
 * {@link StoreUnavailable}; a connection on which that happened is not used again. Where the address names several servers, connections
 * lead to the one that takes writes.
 */
export function postgresPool(servers: PostgresServers, limits: PoolLimits = {}): PostgresPool {
  const pools = servers.addresses.map((single) =>
    poolOf({
      connectionString: single,
      max: connectionsMax,
      // One that is dead leaves time for the others.
      connectionTimeoutMillis: (limits.connectMaxMs ?? connectMaxMs) / servers.addresses.length,
      query_timeout: limits.queryMaxMs ?? queryMaxMs,
      onConnect: async (client) => {
        await servers.requireWrites(client)
        await client.query(endsWithItsMachine)
      },
    }),
  )
  return poolFrom(pools, (connectTo) => servers.first(async (place) => connectTo(pools[place])))
}

/** Connections to one server that may be a replica, with short waits. */
export function replicaPool(address: string): PostgresPool {
  const pool = poolOf({
    connectionString: address,
    max: readsAtReplicaMax,
    connectionTimeoutMillis: replicaConnectMaxMs,
    query_timeout: replicaQueryMaxMs,
    onConnect: async (client) => {
      await client.query(endsWithItsMachine)
    },
  })
  return poolFrom([pool], (connectTo) => connectTo(pool))
}

type ConnectTo = (pool: pg.Pool | undefined) => Promise<PostgresPoolClient>

function poolFrom(
  pools: readonly pg.Pool[],
  connect: (connectTo: ConnectTo) => Promise<PostgresPoolClient>,
): PostgresPool {
  return {
    options: pools[0]?.options ?? {},
    connect: async () => {
      try {
        return await connect(async (pool) => new WatchedClient(await connectedOf(pool)))
      } catch (error) {
        throw new StoreUnavailable(error)
      }
    },
    end: async () => {
      await Promise.all(pools.map((pool) => pool.end()))
    },
  }
}

function connectedOf(pool: pg.Pool | undefined): Promise<PostgresPoolClient> {
  if (pool === undefined) throw new Error('there is no such server')
  return pool.connect()
}

function poolOf(options: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({
    ...options,
    idleTimeoutMillis: idleMaxMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveAfterMs,
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === bigintOid ? (text: string) => Number(text) : pg.types.getTypeParser(oid, format),
    },
  })
  // A connection that the server ended while nothing was asked of it, idle or within a transaction: the next query opens another or
  // says why it cannot. Without a listener the event would end the process; the pool has one for idle connections only.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/** A connection that is given up for good once PostgreSQL could not be reached on it. */
class WatchedClient implements PostgresPoolClient {
  readonly #client: PostgresPoolClient
  #failure: StoreUnavailable | undefined

  constructor(client: PostgresPoolClient) {
    this.#client = client
  }

  query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>
  query<R>(query: string | PostgresCursor<R>, parameters: readonly unknown[] = []) {
    return typeof query === 'string' ? this.#run<R>(query, parameters) : this.#client.query(query)
  }

  release(destroy = false): void {
    this.#client.release(destroy || this.#failure !== undefined)
  }

  async #run<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    // A query that was given up may still be running there: nothing more is asked on its connection.
    if (this.#failure) throw this.#failure
    try {
      return await this.#client.query<R>(sql, parameters)
    } catch (error) {
      if (!isUnavailable(error)) throw error
      this.#failure = new StoreUnavailable(error)
      throw this.#failure
    }
  }
}

function isUnavailable(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return sqlStatesOfUnavailable.test(error.code ?? '')
  if (!(error instanceof Error)) return false
  return (
    'syscall' in error ||
    /^Connection terminated|not queryable|^Query read timeout|timeout expired/.test(error.message)
  )
}
