import { beginSpan, inSpan, isTracingQueries, type Span } from '@palisade/tracing'
import type { CompiledQuery, DatabaseConnection, Dialect, Driver, TransactionSettings } from 'kysely'

/**
 * A dialect whose transactions are spans of whatever they are made in. What is asked is told where that is wanted, as the text of the query
 * without its parameters; what is written is not.
 */
export function tracedDialect(dialect: Dialect, system: 'sqlite' | 'postgresql'): Dialect {
  return {
    createAdapter: () => dialect.createAdapter(),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createDriver: () => {
      const driver = withTracedTransactions(dialect.createDriver(), system)
      return isTracingQueries() ? withTracedQueries(driver, system) : driver
    },
  }
}

/** The same driver, of which all but transactions stays as it is. */
function withTracedTransactions(driver: Driver, system: string): Driver {
  const open = new WeakMap<DatabaseConnection, Span>()
  const begin = driver.beginTransaction.bind(driver)
  const end =
    (finish: (connection: DatabaseConnection) => Promise<void>, outcome: string) =>
    async (connection: DatabaseConnection): Promise<void> => {
      const span = open.get(connection)
      open.delete(connection)
      try {
        await finish(connection)
        span?.set({ 'palisade.transaction.outcome': outcome })
      } catch (error) {
        span?.fail(error)
        throw error
      } finally {
        span?.end()
      }
    }
  return Object.assign(driver, {
    beginTransaction: async (connection: DatabaseConnection, settings: TransactionSettings) => {
      const span = beginSpan('transaction', { kind: 'client', attributes: { 'db.system.name': system } })
      try {
        await begin(connection, settings)
      } catch (error) {
        span?.fail(error)
        span?.end()
        throw error
      }
      if (span !== undefined) open.set(connection, span)
    },
    commitTransaction: end(driver.commitTransaction.bind(driver), 'commit'),
    rollbackTransaction: end(driver.rollbackTransaction.bind(driver), 'rollback'),
  })
}

function withTracedQueries(driver: Driver, system: string): Driver {
  const acquire = driver.acquireConnection.bind(driver)
  const traced = new WeakSet<DatabaseConnection>()
  return Object.assign(driver, {
    acquireConnection: async (options?: Parameters<typeof acquire>[0]) => {
      const connection = await acquire(options)
      // Connections are used again.
      if (!traced.has(connection)) traceQueries(connection, system)
      traced.add(connection)
      return connection
    },
  })
}

/** Values stand in the parameters, which are left out. */
function traceQueries(connection: DatabaseConnection, system: string): void {
  const execute = connection.executeQuery.bind(connection)
  const executeTraced: typeof connection.executeQuery = (query: CompiledQuery, ...more) => {
    const attributes = { 'db.system.name': system, 'db.query.text': query.sql }
    return inSpan('query', { kind: 'client', attributes }, () => execute(query, ...more))
  }
  Object.assign(connection, { executeQuery: executeTraced })
}
