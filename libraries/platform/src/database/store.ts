import type { Log } from '@palisade/log'
import { isTracing } from '@palisade/tracing'
import { type Dialect, Kysely, PostgresDialect, type PostgresPool } from 'kysely'
import { type Claim, type ClaimRequest, PostgresClaim } from './claim.ts'
import { databaseFile } from './database-check.ts'
import { type Notifications, noNotifications } from './notifications.ts'
import { PostgresListener } from './postgres-listener.ts'
import { postgresPool, replicaPool } from './postgres-pool.ts'
import { type ListReads, PostgresReplicas } from './postgres-replicas.ts'
import { PostgresServers } from './postgres-servers.ts'
import { sqliteDialect } from './sqlite-dialect.ts'
import { tracedDialect } from './traced-dialect.ts'

/** The tables as one transaction sees them. */
export type TransactionTables = Pick<Store, 'kind' | 'characterOrder' | 'tables'>

/** The database of one installation: SQLite in the data directory, or a PostgreSQL server. */
export interface Store {
  readonly kind: 'sqlite' | 'postgres'
  /** The collation that orders texts by their characters alone, whatever language the database was made for. */
  readonly characterOrder: 'BINARY' | 'C'
  /** Queries over one service's tables. */
  tables<Tables>(): Kysely<Tables>
  /**
   * Reads a list that may be long, from a replica where there is one that has all that the primary had when this was called, else from the primary.
   *
   * @param work only reads; it may be done twice
   */
  readList<Result>(work: (tables: TransactionTables) => Promise<Result>): Promise<Result>
  /** Where {@link readList} has read; nothing is counted where the address names one server. */
  readonly listReads: ListReads
  /**
   * Reads and writes as if nobody else did meanwhile. PostgreSQL ends a transaction that would miss or undo the work of another
   * one, which is then begun anew; with SQLite one follows the other.
   *
   * @param work may be done several times, and takes effect once; it must not wait for anything but its queries
   */
  serializably<Result>(work: (tables: TransactionTables) => Promise<Result>): Promise<Result>
  /**
   * Takes what only one of the servers on this database may have.
   *
   * @returns undefined when another one has it
   */
  claim(request: ClaimRequest): Promise<Claim | undefined>
  /** Messages between the servers on this database. */
  readonly notifications: Notifications
  close(): Promise<void>
}

/**
 * Opens the database. Columns are text and integers only (dates as milliseconds, booleans as 0 and 1, JSON
 * as text), so that the same tables and queries serve both engines.
 *
 * @param address "embedded", or a URL that starts with postgres:// or postgresql://
 * @param dataDirectory where the embedded database lies
 * @param log is told of replicas that cannot be used
 */
export function openStore(address: string, dataDirectory: string, log?: Log): Store {
  if (address === 'embedded') {
    const kysely = new Kysely<unknown>({
      dialect: traced(sqliteDialect(databaseFile(dataDirectory)), 'sqlite'),
    })
    // The data directory belongs to one process, and with it all that the database has.
    return storeOf('sqlite', kysely, {
      claim: async () => ({ isHeld: true, release: async () => undefined }),
      notifications: noNotifications,
      close: () => kysely.destroy(),
    })
  }
  const servers = new PostgresServers(address)
  const kysely = queriesOf(postgresPool(servers))
  const replicas = servers.addresses.length === 1 ? undefined : replicasOf(kysely, servers, log)
  const notifications = new PostgresListener(address)
  return storeOf('postgres', kysely, {
    claim: (request) => PostgresClaim.take(address, request),
    notifications,
    replicas,
    close: async () => {
      await notifications.close()
      await replicas?.close()
      await kysely.destroy()
    },
  })
}

function queriesOf(pool: PostgresPool): Kysely<unknown> {
  return new Kysely<unknown>({ dialect: traced(new PostgresDialect({ pool }), 'postgresql') })
}

/** Any server of the address may be a replica, and another one after a failover. */
function replicasOf(
  primary: Kysely<unknown>,
  servers: PostgresServers,
  log: Log | undefined,
): PostgresReplicas {
  const possible = servers.addresses.map((address, place) => ({
    queries: queriesOf(replicaPool(address)),
    isPrimary: () => place === servers.primaryPlace,
  }))
  return new PostgresReplicas(primary, possible, log)
}

/** Whether traces are recorded is said before the database is opened. */
function traced(dialect: Dialect, system: 'sqlite' | 'postgresql'): Dialect {
  return isTracing() ? tracedDialect(dialect, system) : dialect
}

function storeOf(
  kind: Store['kind'],
  kysely: Kysely<unknown>,
  {
    replicas,
    ...ofKind
  }: Pick<Store, 'claim' | 'notifications' | 'close'> & { readonly replicas?: PostgresReplicas | undefined },
): Store {
  const tablesOf = (queries: Kysely<unknown>): TransactionTables => ({
    kind,
    characterOrder: kind === 'sqlite' ? 'BINARY' : 'C',
    // biome-ignore lint/suspicious/noExplicitAny: the one place where a service claims its tables
    tables: <Tables>() => queries as Kysely<any> as Kysely<Tables>,
  })
  return {
    ...tablesOf(kysely),
    readList: (work) =>
      replicas === undefined ? work(tablesOf(kysely)) : replicas.read((queries) => work(tablesOf(queries))),
    listReads: replicas?.reads ?? { replica: 0, primary: 0 },
    serializably: async (work) => {
      const begun = kysely.transaction()
      const transaction = kind === 'sqlite' ? begun : begun.setIsolationLevel('serializable')
      for (let attempt = 1; ; attempt++) {
        try {
          return await transaction.execute((queries) => work(tablesOf(queries)))
        } catch (error) {
          if (attempt === attemptsMax || !isSerializationFailure(error)) throw error
        }
      }
    },
    ...ofKind,
  }
}

/** How often a transaction is begun before it is given up because of others. */
const attemptsMax = 10

/** Whether PostgreSQL has ended a transaction because of others (serialization_failure, deadlock_detected). */
function isSerializationFailure(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === '40001' || error.code === '40P01')
}

/** Whether an insert failed because a row with the same key is already there. */
export function isDuplicate(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if ('code' in error && error.code === '23505') return true
  return 'errcode' in error && (error.errcode === 1555 || error.errcode === 2067)
}
