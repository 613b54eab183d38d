import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { startPostgres } from '@palisade/platform/testing'
import { loadConfiguration } from './configuration/load.ts'
import { commandsBeginningWith, freePorts, rowsOf, startAndEnd } from './testing/backing-up-page.ts'

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
