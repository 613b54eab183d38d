import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openStore } from '@palisade/platform'
import { startPostgres } from '@palisade/platform/testing'
import { loadConfiguration } from './configuration/load.ts'
import type { Configuration } from './configuration/schema.ts'
import { commandsBeginningWith, freePorts, rowsOf, startAndEnd } from './testing/backing-up-page.ts'

test('the commands of the operators’ page bring a database back that a newer version has changed', {
  skip: !existsSync('/usr/bin/pg_dump') && 'the clients of PostgreSQL are not installed',
}, async (t) => {
  const postgres = await startPostgres()
  assert.ok(postgres, 'PostgreSQL is not installed: apt-get install postgresql')
  const home = mkdtempSync(join(tmpdir(), 'palisade-way-back-'))
  t.after(async () => {
    await postgres.stop()
    rmSync(home, { recursive: true })
  })
  const database = await postgres.newDatabase()
  const empty = loadConfiguration({
    environment: {},
    flags: { ...freePorts, 'data-directory': join(home, 'data'), database },
  })
  const administrators = [{ username: 'admin', password: 'a password', role: 'admin' }]
  const configuration = { ...empty, firewall: { ...empty.firewall, administrators } }
  await startAndEnd(configuration)
  const before = await rowsOf(configuration)
  assert.ok(Object.keys(before).length > 40)

  const run = (start: string) => execFileSync('sh', ['-ec', commandsFor(start, database, home)])
  run('pg_dump')
  await asNewerVersion(configuration)
  await assert.rejects(startAndEnd(configuration), ({ message, cause }) => {
    return /migrating the tables of email failed/.test(message) && /is missing/.test(String(cause))
  })

  run('psql')
  assert.deepEqual(await rowsOf(configuration), before)
  await startAndEnd(configuration)
})

/** What an upgrade leaves: a migration that this version does not know, a table of it, and rows that were written since. */
async function asNewerVersion({ database, dataDirectory }: Configuration): Promise<void> {
  const store = openStore(database, dataDirectory)
  const tables = store.tables<Record<string, Record<string, unknown>>>()
  const names = (await tables.introspection.getTables({ withInternalKyselyTables: true })).map(
    ({ name }) => name,
  )
  const migrations = names.find((name) => /email.*migration/.test(name) && !name.includes('lock'))
  assert.ok(migrations, String(names))
  await tables
    .insertInto(migrations)
    .values({ name: '9999-newer', timestamp: new Date().toISOString() })
    .execute()
  await tables.schema.createTable('newer').addColumn('id', 'bigint').execute()
  await tables.deleteFrom('firewall_object').execute()
  await store.close()
}

/** The page's commands, for the database and the folders of this test. */
function commandsFor(start: string, database: string, home: string): string {
  const name = database.slice(database.lastIndexOf('/') + 1)
  const server = database.slice(0, -name.length - 1)
  return commandsBeginningWith(`${start} `)
    .replaceAll('postgres://user:password@host/palisade', database)
    .replaceAll('postgres://user:password@host/postgres', `${server}/postgres`)
    .replaceAll('DATABASE palisade', `DATABASE ${name}`)
    .replaceAll('/mnt/safe', home)
}
