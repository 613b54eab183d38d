/** A database with a damaged page: the server does not start with it, writes nothing to it, and says what to do. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Program } from './support/programs/program.ts'
import { cleanUp, Server } from './support/programs/server.ts'

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
