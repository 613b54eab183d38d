import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { SqliteAdapter, type SqliteDatabase, SqliteDialect } from 'kysely'
import { LRUCache } from 'lru-cache'
import { openPrivateDatabase } from './private-database.ts'

/**
 * SQLite as Node ships it, behind Kysely's dialect for SQLite. Journal mode WAL with synchronous FULL: what
 * was acknowledged survives a kill and a power cut.
 *
 * @param file path of the database; made when missing
 */
export function sqliteDialect(file: string): SqliteDialect {
  return new TransactionalSqliteDialect({ database: async () => openSqlite(file) })
}

/**
 * SQLite takes back changes to tables with the transaction that made them. Kysely's adapter says otherwise, and
 * its migrator would then leave half a migration behind when one fails or the process is killed.
 */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

class TransactionalSqliteDialect extends SqliteDialect {
  override createAdapter(): SqliteAdapter {
    return new TransactionalSqliteAdapter()
  }
}

/** How long a statement waits, in milliseconds, while somebody else writes: a script of the operator, or a tool that copies the file. */
const busyTimeoutMs = 2_000

function openSqlite(file: string): SqliteDatabase {
  const database = openPrivateDatabase(file)
  database.exec(
    `PRAGMA busy_timeout = ${busyTimeoutMs}; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON`,
  )
  const statements = new LRUCache<string, ReturnType<typeof adapt>>({ max: 500 })
  return {
    close: () => database.close(),
    prepare: (sql) => {
      const statement = statements.get(sql)
      if (statement) return statement
      const prepared = adapt(database.prepare(sql))
      const newStatement = sql === 'rollback' ? onlyWithin(database, prepared) : prepared
      statements.set(sql, newStatement)
      return newStatement
    },
  }
}

/** Kysely's parameters are what its compiled queries hold; our tables take text and numbers only. */
function adapt(statement: StatementSync) {
  return {
    reader: statement.columns().length > 0,
    all: (parameters: readonly unknown[]) => statement.all(...parameters.map(toSqlite)),
    run: (parameters: readonly unknown[]) => statement.run(...parameters.map(toSqlite)),
    iterate: (parameters: readonly unknown[]) => statement.iterate(...parameters.map(toSqlite)),
  }
}

/**
 * SQLite takes a transaction back by itself when there is no room for it. A rollback that comes after that would fail, and hide why.
 */
function onlyWithin(database: DatabaseSync, rollback: ReturnType<typeof adapt>): typeof rollback {
  const nothing = { changes: 0, lastInsertRowid: 0 }
  return { ...rollback, run: (parameters) => (database.isTransaction ? rollback.run(parameters) : nothing) }
}

function toSqlite(value: unknown): string | number | bigint | null {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') {
    return value
  }
  throw new TypeError(`a table column takes text, a number or null, not ${typeof value}`)
}
