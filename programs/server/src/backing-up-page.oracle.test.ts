import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createLog, openStore } from '@palisade/platform'
import { startPostgres } from '@palisade/platform/testing'
import { loadConfiguration } from './configuration/load.ts'
import type { Configuration } from './configuration/schema.ts'
import { serve } from './serve.ts'

const page = new URL('../../../docs/operating/backing-up-palisade.md', import.meta.url)

/** Members of a configuration on free loopback ports, as flags. */
const freePorts = {
  'firewall-run-proxy': 'false',
  ...{ 'firewall-listen-http': '0', 'firewall-listen-https': '0' },
  ...{ 'services-listen-http': '0', 'services-listen-https': '0' },
}

/** What is special in CSV, in COPY and in SQL; the page's commands have to carry it all. */
const awkward = ['', ' ', '"quoted", and\nnew lines\r\n', "it's", '\\N', '\\.', 'NULL', 'ü 日本 🙂', '$1']

test('the commands of the operators’ page copy every row to PostgreSQL', {
  skip: !existsSync('/usr/bin/sqlite3') && 'sqlite3 is not installed',
}, async (t) => {
  const postgres = await startPostgres()
  assert.ok(postgres, 'PostgreSQL is not installed: apt-get install postgresql')
  const home = mkdtempSync(join(tmpdir(), 'palisade-move-'))
  t.after(async () => {
    await postgres.stop()
    rmSync(home, { recursive: true })
  })
  const old = loadConfiguration({
    environment: {},
    flags: { ...freePorts, 'data-directory': join(home, 'data') },
  })
  const computers = awkward.map((name, id) => ({ id: String(id), name: `-${name}`, enrolmentKey: 'a key' }))
  const moved = { ...old, database: await postgres.newDatabase() }

  await startAndEnd({
    ...old,
    firewall: {
      ...old.firewall,
      administrators: [{ username: 'admin', password: 'a password', role: 'admin' }],
    },
    backup: { ...old.backup, accounts: [{ id: 'acme', computers }] },
  })
  await startAndEnd(moved)
  execFileSync('sh', ['-c', commands(moved.database)], { cwd: home })

  const [before, after] = await Promise.all([rowsOf(old), rowsOf(moved)])
  assert.ok(Object.keys(before).length > 40)
  assert.deepEqual(after, before)
  await startAndEnd(moved)
})

/** What the page has an operator type, for this database. */
function commands(database: string): string {
  return commandsBeginningWith('old=').replace(/new=\S+/, `new=${database}`)
}

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
  await assert.rejects(startAndEnd(configuration), {
    message: /^the PostgreSQL at \S+ was written by a newer version than this one/,
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

/** The block of commands of the operators' page that begins with this. @throws Error when there is none */
function commandsBeginningWith(start: string): string {
  const blocks = readFileSync(page, 'utf8').matchAll(/```sh\n([^`]*)```/g)
  for (const [, block = ''] of blocks) if (block.trimStart().startsWith(start)) return block
  throw new Error(`the page has no commands that begin with ${start}`)
}

async function startAndEnd(configuration: Configuration): Promise<void> {
  const log = createLog('silent')
  const server = await serve(configuration, { log, provisionCredentials: false, show: () => undefined })
  await server.close()
}

/** The rows of each table, as sorted texts. */
async function rowsOf({ database, dataDirectory }: Configuration): Promise<Record<string, string[]>> {
  const store = openStore(database, dataDirectory)
  const tables = store.tables<Record<string, Record<string, unknown>>>()
  const rows: Record<string, string[]> = {}
  for (const { name } of await tables.introspection.getTables()) {
    const records = await tables.selectFrom(name).selectAll().execute()
    rows[name] = records.map((row) => JSON.stringify(Object.entries(row).sort())).sort()
  }
  await store.close()
  return rows
}
