/** What who has stolen an agent's credential can do to the backups that come after. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import { Backups } from './support/backup/backups.ts'
import { assertHolds } from './support/backup/images.ts'
import { Agent } from './support/programs/agent.ts'
import { notInstalled } from './support/programs/not-installed.ts'
import { cleanUp, newFolder, Server } from './support/programs/server.ts'
import { root } from './support/repository/root.ts'

after(cleanUp)

const chunkBytes = 512 * 1024
const chunks = 24

test('rubbish under the names of chunks to come is refused, and the backup after it comes back whole', {
  skip: notInstalled('/usr/bin/qemu-img'),
}, async () => {
  const home = newFolder()
  const image = join(home, 'image.raw')
  writeFileSync(image, randomBytes(chunks * chunkBytes))
  const server = await Server.start(home)
  const robbed = await Agent.start(server, home)
  await robbed.program.stop()
  const stolen = JSON.parse(readFileSync(join(home, 'agent-state', 'credential.json'), 'utf8'))
  const thief = spawn(
    process.execPath,
    [
      ...['--conditions=source', join(root, 'services/backup/src/testing/poison.ts')],
      ...[`${server.services}/backup`, stolen.credential, image],
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const lines = createInterface(thief.stdout)[Symbol.asyncIterator]()
  assert.equal((await lines.next()).value, 'linked')
  const backups = await Backups.connect(server)
  const poisoned = await backups.startBackup(image)
  const statuses: number[] = JSON.parse((await lines.next()).value ?? '[]')
  await once(thief, 'exit')
  assert.deepEqual(
    statuses,
    Array.from({ length: chunks }, () => 400),
  )
  assert.equal((await backups.ended('backups', poisoned)).state, 'CANCELED')
  await server.program.line(/a chunk that is not what its id names.*the computer or its credential/)
  const metrics = await (await fetch(`${server.services}/metrics`)).text()
  assert.match(metrics, new RegExp(`^palisade_backup_chunks_refused_total ${chunks}$`, 'm'))

  const elsewhere = newFolder()
  const agent = await Agent.start(server, elsewhere)
  await server.program.line(/the credential before has ended: all backups of this computer are verified now/)
  const revision = await backups.backUp(image)
  assertHolds(await backups.restore(revision, join(elsewhere, 'restored')), image)
  await agent.program.stop()
  await server.remove()
})
