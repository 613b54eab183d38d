import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { cleanUp, Program, Server } from './index.ts'

after(cleanUp)

test('a server refuses a data directory of a newer version in one sentence, and leaves it as it is', async () => {
  const server = await Server.start()
  assert.equal(await server.program.stop(), 0)
  const database = new DatabaseSync(join(server.dataDirectory, 'palisade.sqlite'))
  const own = database.prepare("select value from installation where name = 'version'").get()?.value
  const applied = () => database.prepare('select * from email_migration').all()
  database.prepare("insert into email_migration values ('9999-newer', '2030-01-01T00:00:00.000Z')").run()
  const before = applied()

  const refused = async () => {
    const program = new Program(['serve', '--config', join(server.folder, 'palisade.json')])
    assert.equal((await program.ended()).status, 1, program.output)
    const [said] = /^Palisade cannot start: .*/m.exec(program.output) ?? []
    return said
  }
  const whatToDo =
    'start that version, or go back to the copy from before the upgrade as docs/operating/backing-up-palisade.md says'
  assert.equal(
    await refused(),
    `Palisade cannot start: the data directory ${server.dataDirectory} was written by a newer version than this one (${own}): ${whatToDo}`,
  )
  database.prepare("update installation set value = '99.0.0' where name = 'version'").run()
  assert.equal(
    await refused(),
    `Palisade cannot start: the data directory ${server.dataDirectory} was written by version 99.0.0, which is newer than this one (${own}): ${whatToDo}`,
  )
  assert.deepEqual(applied(), before)

  database.prepare("delete from email_migration where name = '9999-newer'").run()
  database.close()
  const again = await server.again()
  assert.equal(await again.program.stop(), 0)
  // What a newer version has only added is no obstacle.
  const newer = new DatabaseSync(join(server.dataDirectory, 'palisade.sqlite'))
  newer.exec("alter table email_domain add column label text not null default ''")
  newer.exec("insert into email_migration values ('9999-additive-label', '2030-01-01T00:00:00.000Z')")
  newer.close()
  const beside = await server.again()
  assert.equal(await beside.program.stop(), 0)
})
