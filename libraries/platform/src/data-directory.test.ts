import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmodSync, existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { takeDataDirectory } from './data-directory.ts'
import { openStore } from './database/store.ts'
import { startModule } from './testing/run-module.ts'
import { temporaryDirectory } from './testing/temporary-directory.ts'

const holder = `
  import { takeDataDirectory } from '${new URL('data-directory.ts', import.meta.url)}'
  try {
    // Kept, so that the lock does not go with a collection of garbage.
    globalThis.giveBack = takeDataDirectory(JSON.parse(process.argv[1]))
    process.stdout.write('taken')
    setInterval(() => undefined, 1000)
  } catch (error) {
    process.stdout.write(error.message)
  }`

test('refuses a second process with a message that says what to do, until the first is killed', async (t) => {
  const directory = temporaryDirectory(t)
  const first = startModule(holder, directory)
  t.after(() => first.kill('SIGKILL'))
  assert.equal(String(await firstOutput(first)), 'taken')

  const refusal = new RegExp(
    `the data directory ${directory} is in use by another Palisade server: stop that one`,
  )
  assert.throws(() => takeDataDirectory(directory), refusal)
  const second = startModule(holder, directory)
  assert.match(String(await firstOutput(second)), refusal)

  const exited = once(first, 'exit')
  first.kill('SIGKILL')
  await exited
  takeDataDirectory(directory)()
})

test('refuses to be taken twice by one process, and is free when given back', (t) => {
  const directory = temporaryDirectory(t)
  const giveBack = takeDataDirectory(directory)
  assert.throws(() => takeDataDirectory(directory), /is in use by another Palisade server/)
  giveBack()
  takeDataDirectory(directory)()
})

test('says what is wrong with a place where no directory can be', (t) => {
  const file = join(temporaryDirectory(t), 'file')
  writeFileSync(file, '')
  const because = (reason: string) => ({
    message: new RegExp(`^dataDirectory names /.*, which cannot be used: ${reason}$`),
  })
  assert.throws(() => takeDataDirectory(file), because(`${file} is a file`))
  assert.throws(() => takeDataDirectory(join(file, 'below')), because(`${file} is a file`))
  assert.throws(() => takeDataDirectory('/proc'), because('the system makes nothing in /proc'))
  assert.throws(() => takeDataDirectory('/proc/x'), because('the system makes nothing in /proc'))
  assert.throws(
    () => takeDataDirectory('/sys'),
    because('(this user may not write in /sys|/sys is on a file system that is read-only)'),
  )
})

test('makes the directory, with those above it, for its owner alone', (t) => {
  const directory = join(temporaryDirectory(t), 'deep', 'data')
  const giveBack = takeDataDirectory(directory)
  assert.ok(existsSync(directory))
  assert.equal(statSync(directory).mode & 0o777, 0o700)
  giveBack()
})

test('lets nobody else read the database and the lock in a directory that others may enter', async (t) => {
  const directory = temporaryDirectory(t)
  chmodSync(directory, 0o755)
  const giveBack = takeDataDirectory(directory)
  const store = openStore('embedded', directory)
  await sql`CREATE TABLE thing (name TEXT)`.execute(store.tables())
  const files = readdirSync(directory)
  assert.ok(['palisade.lock', 'palisade.sqlite', 'palisade.sqlite-wal'].every((name) => files.includes(name)))
  for (const name of files) assert.equal(statSync(join(directory, name)).mode & 0o777, 0o600, name)
  await store.close()
  giveBack()
})

async function firstOutput(child: ReturnType<typeof startModule>): Promise<unknown> {
  assert.ok(child.stdout)
  const [output] = await once(child.stdout, 'data')
  return output
}
