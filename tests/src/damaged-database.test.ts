/**
 * A database with a damaged page: the server does not start with it, writes nothing to it, and says what to do. One that takes so long to
 * look through that the server has started meanwhile is told of.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, openSync, readdirSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { Program } from './support/programs/program.ts'
import { cleanUp, provisioned, Server } from './support/programs/server.ts'
import { WatchedServer } from './support/programs/watched-server.ts'

after(cleanUp)

const pageBytes = 4096

test('random bytes in any page of the database keep the server from starting, and nothing is written to it', async () => {
  const server = await Server.start()
  await server.program.stop()
  const file = join(server.folder, 'data', 'palisade.sqlite')
  const sound = readFileSync(file)
  const pages = sound.length / pageBytes
  assert.ok(pages > 20, `${pages} pages`)
  for (const page of [0, 1, 2, Math.floor(pages / 2), pages - 1]) {
    const damaged = Buffer.from(sound)
    randomBytes(pageBytes).copy(damaged, page * pageBytes)
    writeFileSync(file, damaged)
    const program = new Program(['serve', '--config', join(server.folder, 'palisade.json')])
    assert.equal((await program.ended()).status, 1, `page ${page}`)
    assert.match(program.output, /the database .*palisade\.sqlite is damaged \(.+\); nothing was written/)
    assert.match(program.output, /docs\/operating\/emergencies\.md/)
    assert.ok(readFileSync(file).equals(damaged), `page ${page}: the file is as it was`)
  }
  writeFileSync(file, sound)
  await (await Server.start(server.folder)).remove()
})

test('a database that was not closed is sound, with what is in its log', async () => {
  const server = await Server.start()
  await server.program.stop('SIGKILL')
  assert.ok(existsSync(join(server.folder, 'data', 'palisade.sqlite-wal')))
  await (await Server.start(server.folder)).remove()
})

/** The process that looks through a database. */
function checkOf(file: string): number | undefined {
  const isCheck = (pid: string) => {
    try {
      const argv = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
      return argv.includes(file) && argv.some((one) => one.includes('check-program'))
    } catch {
      // It has ended.
      return false
    }
  }
  const pid = readdirSync('/proc').find((name) => /^\d+$/.test(name) && isCheck(name))
  return pid === undefined ? undefined : Number(pid)
}

/** Has the next check of a database take as long as on a slow disk: it stands still until its process is sent SIGCONT. */
async function stopNextCheck(file: string): Promise<number> {
  for (;;) {
    const pid = checkOf(file)
    if (pid !== undefined) {
      process.kill(pid, 'SIGSTOP')
      return pid
    }
    await delay(2)
  }
}

test('damage that is found when the server runs already is told of once, until the database is mended', async () => {
  const watched = await WatchedServer.start(provisioned)
  const file = join(watched.server.dataDirectory, 'palisade.sqlite')
  let sound = Buffer.alloc(0)
  /** Writes the last page, which is one of a table that the server does not read. */
  const writeLastPage = (content: Buffer) => {
    const descriptor = openSync(file, 'r+')
    writeSync(descriptor, content, 0, pageBytes, sound.length - pageBytes)
    closeSync(descriptor)
  }
  const stopped = stopNextCheck(file)
  await watched.restart(() => {
    const database = new DatabaseSync(file)
    database.exec('CREATE TABLE filler (content BLOB)')
    const insert = database.prepare('INSERT INTO filler VALUES (?)')
    for (let count = 0; count < 100; count++) insert.run(randomBytes(3000))
    database.close()
    sound = readFileSync(file)
    writeLastPage(randomBytes(pageBytes))
  })
  assert.deepEqual(await watched.list(), [], 'nobody knows of it')
  process.kill(await stopped, 'SIGCONT')
  const damaged = await watched.raised('damaged-database')
  assert.deepEqual([damaged.service, damaged.severity], ['server', 'critical'])
  assert.match(damaged.message, /^The database .*palisade\.sqlite is damaged \(.+\): stop the server; /)
  assert.match(damaged.remedy, /docs\/operating\/emergencies\.md/)
  const ready = await fetch(`${watched.server.services}/readyz`)
  assert.match(await ready.text(), /damaged-database/)
  await watched.restart(() => writeLastPage(sound.subarray(-pageBytes)))
  await watched.resolved(damaged)
  await watched.stop()
})
