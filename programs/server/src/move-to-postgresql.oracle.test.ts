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

const flags = {
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
    flags: { ...flags, 'data-directory': join(home, 'data') },
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

async function startAndEnd(configuration: Configuration): Promise<void> {
  const log = createLog('silent')
  const server = await serve(configuration, { log, provisionCredentials: false, show: () => undefined })
  await server.close()
}

/** What the page has an operator type, for this database. */
function commands(database: string): string {
  const [, block = ''] = /```sh\n(\s+old=[^`]*)```/.exec(readFileSync(page, 'utf8')) ?? []
  assert.match(block, /psql/)
  return block.replace(/new=\S+/, `new=${database}`)
}

/** The rows of each table, as sorted texts. */
async function rowsOf({ database, dataDirectory }: Configuration): Promise<Record<string, string[]>> {
  const store = openStore(database, dataDirectory)
  const tables = store.tables<Record<string, Record<string, unknown>>>()
  const rows: Record<string, string[]> = {}
  for (const { name } of await tables.introspection.getTables()) {
    const found = await tables.selectFrom(name).selectAll().execute()
    rows[name] = found.map((row) => JSON.stringify(Object.entries(row).sort())).sort()
  }
  await store.close()
  return rows
}
