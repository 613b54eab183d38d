import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Backups } from './support/backup/backups.ts'
import { Agent } from './support/programs/agent.ts'
import { eventually } from './support/programs/calls.ts'
import { cleanUp, newFolder, Server } from './support/programs/server.ts'

after(cleanUp)

const mebibyte = 2 ** 20

interface SetAction {
  readonly state: string
  readonly ended: string | null
  readonly backups: readonly string[]
}

test('a backup set is run by a real agent, waits for one that is away, and keeps what it is told to', async () => {
  const folder = newFolder()
  const image = join(folder, 'volume.img')
  const content = randomBytes(8 * mebibyte)
  writeFileSync(image, content)
  const server = await Server.start()
  const agent = await Agent.start(server, folder)
  const backups = await Backups.connect(server)
  const idIn = async (reply: Response): Promise<string> =>
    ((await reply.json()) as { data: { id: string } }).data.id
  const ended = (action: string) =>
    eventually(`the end of action ${action}`, async () => {
      const reply = await backups.call('GET', `/backupsets/${action}/info`)
      const { data } = (await reply.json()) as { data: SetAction }
      return data.ended === null ? undefined : data
    })

  const created = await backups.call('POST', '/backupsets', {
    name: 'images',
    type: 'Disk_Image',
    selection: [{ path: image }],
    schedule: [{ type: 'manual' }],
    settings: { retention: { keepLast: 1 }, verification: { afterBackup: true } },
  })
  assert.equal(created.status, 201)
  const backupSetId = await idIn(created)
  for (const path of ['/etc/passwd', join(folder, 'none')]) {
    const refused = await backups.call('POST', '/backupsets', {
      name: path,
      type: 'Disk_Image',
      selection: [{ path: image }, { path }],
    })
    const text = await refused.text()
    assert.deepEqual(
      [refused.status, /\[selection\]\[1\] .* is not what the owner of this computer/.test(text)],
      [400, true],
      text,
    )
  }

  const now = await backups.call('POST', '/backupsets/run', { backupSetId })
  assert.equal(now.status, 200)
  assert.equal((await ended(await idIn(now))).state, 'SUCCESS')

  await agent.program.stop()
  await backups.untilOffline()
  content.write('changed', 5 * mebibyte)
  writeFileSync(image, content)
  const later = await backups.call('POST', '/backupsets/run', { backupSetId })
  assert.equal(later.status, 202)
  const back = await Agent.start(server, folder)
  const run = await ended(await idIn(later))
  assert.equal(run.state, 'SUCCESS')

  const listed = await backups.call('GET', '/revisions')
  const revisions = (await listed.json()) as { Id: number; Verification: { State: string } | null }[]
  assert.deepEqual(
    revisions.map(({ Verification }) => Verification?.State),
    ['SUCCESS'],
    'one is kept, and it was read again',
  )
  const [newest] = revisions
  assert.ok(newest)
  const disk = readFileSync(await backups.restore(newest.Id, join(folder, 'restored'), 'Vhd'))
  assert.ok(disk.includes(content.subarray(5 * mebibyte, 5 * mebibyte + 4096)))
  await back.program.stop()
  await server.remove()
})
