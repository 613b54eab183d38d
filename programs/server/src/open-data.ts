import { resolve } from 'node:path'
import {
  auditMigrations,
  DatabaseCheck,
  databaseFile,
  type Log,
  migrate,
  NewerTables,
  oauthMigrations,
  openStore,
  requireStore,
  type ServiceWarning,
  type Store,
  takeDataDirectory,
} from '@palisade/platform'
import { openAgingClock, type RecordedClock } from './aging-clock-record.ts'
import { claimBackups } from './backup-servers/claim-backups.ts'
import type { ClosingSteps } from './closing-steps.ts'
import type { Configuration } from './configuration/schema.ts'
import { DatabaseRecord } from './database-record.ts'
import { newerVersionMessage } from './installation.ts'

/** The data directory, which no other server has, and the store. */
export interface OpenData {
  /** Absolute. */
  readonly directory: string
  readonly store: Store
  readonly record: DatabaseRecord
  readonly agingClock: RecordedClock['clock']
  /** Of a database that is damaged, and of a clock that was set ahead. */
  warnings(): readonly ServiceWarning[]
}

/**
 * Takes the data directory, opens the store, and claims the backups where this is the only server that may serve them.
 *
 * @param options.otherServerWaitMs how long another server that serves the backups is waited for, instead of as long as a dead one may
 *   seem to live
 */
export async function openData(
  { dataDirectory, database, backup }: Configuration,
  { log, otherServerWaitMs }: { readonly log: Log; readonly otherServerWaitMs?: number | undefined },
  closing: ClosingSteps,
): Promise<OpenData> {
  const directory = resolve(dataDirectory)
  closing.add(takeDataDirectory(directory))
  // Before anything writes: what stands on a damaged page would be carried on.
  const check = database === 'embedded' ? await DatabaseCheck.begin(databaseFile(directory), log) : undefined
  closing.add(() => check?.close())
  const aging = openAgingClock(directory, log)
  closing.add(() => aging.close())
  const store = openStore(database, directory, log)
  closing.add(() => store.close())
  await requireStore(store.tables(), database)
  const record = new DatabaseRecord(directory, database)
  await record.requireSameDatabase(store)
  if (backup.serve && backup.advertiseAddress === undefined) {
    const claim = await claimBackups(store, log, otherServerWaitMs)
    closing.add(() => claim.release())
  }
  const damaged = (message: string) => [{ condition: 'damaged-database', message }]
  return {
    directory,
    store,
    record,
    agingClock: aging.clock,
    warnings: () => [...(check?.damage ? damaged(check.damage) : []), ...aging.warnings()],
  }
}

/** Brings the tables up to date that all services share. @throws NewerTables when a newer server has written them */
export async function migrateSharedTables(store: Store): Promise<void> {
  await migrate(store, 'oauth', oauthMigrations)
  await migrate(store, 'audit', auditMigrations(store))
}

/** Says of tables that a newer server has written which version that was, and what to do; gives any other error back as it is. */
export async function explainNewerTables(
  error: unknown,
  { directory, store }: OpenData,
  { database }: Configuration,
  version: string,
): Promise<unknown> {
  if (!(error instanceof NewerTables)) return error
  return new Error(await newerVersionMessage(store, { database, dataDirectory: directory }, version))
}
