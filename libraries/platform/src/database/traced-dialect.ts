import { beginSpan, type Span } from '@palisade/tracing'
import type { DatabaseConnection, Dialect, Driver, TransactionSettings } from 'kysely'

/** A dialect whose transactions are spans of whatever they are made in. What is asked and written is not told. */
export function tracedDialect(dialect: Dialect, system: 'sqlite' | 'postgresql'): Dialect {
  return {
    createAdapter: () => dialect.createAdapter(),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createDriver: () => withTracedTransactions(dialect.createDriver(), system),
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
