import { Kysely, PostgresDialect } from 'kysely'
import { type Claim, type ClaimRequest, PostgresClaim } from './claim.ts'
import { databaseFile } from './database-check.ts'
import { postgresPool } from './postgres-pool.ts'
import { sqliteDialect } from './sqlite-dialect.ts'

/** The database of one installation: SQLite in the data directory, or a PostgreSQL server. */
export interface Store {
  readonly kind: 'sqlite' | 'postgres'
  /** The collation that orders texts by their characters alone, whatever language the database was made for. */
  readonly characterOrder: 'BINARY' | 'C'
  /** Queries over one service's tables. */
  tables<Tables>(): Kysely<Tables>
  /**
   * Takes what only one of the servers on this database may have.
   *
   * @returns undefined when another one has it
   */
  claim(request: ClaimRequest): Promise<Claim | undefined>
  close(): Promise<void>
}

/**
 * Opens the database. Columns are text and integers only (dates as milliseconds, booleans as 0 and 1, JSON
 * as text), so that the same tables and queries serve both engines.
 *
 * @param address "embedded", or a URL that starts with postgres:// or postgresql://
 * @param dataDirectory where the embedded database lies
 */
export function openStore(address: string, dataDirectory: string): Store {
  if (address === 'embedded') {
    const kysely = new Kysely<unknown>({ dialect: sqliteDialect(databaseFile(dataDirectory)) })
    // The data directory belongs to one process, and with it all that the database has.
    return storeOf('sqlite', kysely, async () => ({ release: async () => undefined }))
  }
  const kysely = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: postgresPool(address) }) })
  return storeOf('postgres', kysely, (request) => PostgresClaim.take(address, request))
}

function storeOf(kind: Store['kind'], kysely: Kysely<unknown>, claim: Store['claim']): Store {
  return {
    kind,
    characterOrder: kind === 'sqlite' ? 'BINARY' : 'C',
    // biome-ignore lint/suspicious/noExplicitAny: the one place where a service claims its tables
    tables: <Tables>() => kysely as Kysely<any> as Kysely<Tables>,
    claim,
    close: () => kysely.destroy(),
  }
}

/** Whether an insert failed because a row with the same key is already there. */
export function isDuplicate(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if ('code' in error && error.code === '23505') return true
  return 'errcode' in error && (error.errcode === 1555 || error.errcode === 2067)
}
