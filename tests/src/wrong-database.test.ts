import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type PostgresServer, startPostgres } from '@palisade/platform/testing'
import { Program } from './support/programs/program.ts'
import { cleanUp, newFolder, provisioned, Server } from './support/programs/server.ts'

let postgres: PostgresServer
before(async () => {
  const started = await startPostgres()
  assert.ok(started, 'PostgreSQL is not installed: apt-get install postgresql')
  postgres = started
})
after(() => postgres.stop())
after(cleanUp)

function query(url: string, ...statements: readonly string[]): string {
  const commands = statements.flatMap((statement) => ['-c', statement])
  return execFileSync('psql', ['-qAt', '-v', 'ON_ERROR_STOP=1', ...commands, url], { encoding: 'utf8' })
}

const tablesOf = (url: string) =>
  query(url, "select table_name from information_schema.tables where table_schema = 'public'")

/** Starts the server of a folder with this database, and gives what it says as it ends. */
async function refusal(folder: string, database: string): Promise<string> {
  const file = join(folder, 'other.json')
  const configuration = { ...provisioned, dataDirectory: join(folder, 'data'), database }
  writeFileSync(file, JSON.stringify(configuration), { mode: 0o600 })
  const program = new Program(['serve', '--config', file])
  assert.equal((await program.ended()).status, 1, program.output)
  assert.doesNotMatch(program.output, /\n\s+at /, 'no stack trace')
  return program.output
}

test('a server that had its tables in a PostgreSQL begins nothing in an empty database, until the record of that is deleted', async () => {
  const folder = newFolder()
  const own = await postgres.newDatabase()
  const first = await Server.start(folder, { ...provisioned, database: own })
  await first.program.stop()
  const empty = await postgres.newDatabase()
  for (const database of [empty, 'embedded']) {
    assert.match(
      await refusal(folder, database),
      /^Palisade cannot start: database: .* has no tables of Palisade, and this server had them in the PostgreSQL at 127\.0\.0\.1:\d+\/test_1 when it was started last\. .* delete \S+database-place\.json$/m,
    )
  }
  assert.equal(tablesOf(empty), '')

  // The dump that was restored into another database is as good as the first one.
  const copy = await postgres.newDatabase(own)
  const restored = await Server.start(folder, { ...provisioned, database: copy })
  await restored.program.stop()

  rmSync(join(folder, 'data', 'database-place.json'))
  const anew = await Server.start(folder, { ...provisioned, database: empty })
  await anew.program.stop()
})

test('a database that takes no changes, or no connection, ends the start with what to do', async () => {
  const folder = newFolder()
  const own = await postgres.newDatabase()
  const first = await Server.start(folder, { ...provisioned, database: own })
  await first.program.stop()
  query(
    own,
    'create role reader login',
    'grant select on all tables in schema public to reader',
    'alter role reader set default_transaction_read_only = on',
    'create role stranger login',
    'create role nobody login connection limit 0',
  )
  const as = (user: string) => Object.assign(new URL(own), { username: user }).href
  const cases = {
    reader: /database names the PostgreSQL at \S+, which cannot be used: it takes no changes: it stands by/,
    stranger:
      /database names the PostgreSQL at \S+, which cannot be used: this user may not change its tables/,
    nobody: /database names the PostgreSQL at \S+, which cannot be used: it has no connection left: raise/,
  }
  for (const [user, message] of Object.entries(cases)) assert.match(await refusal(folder, as(user)), message)
})
