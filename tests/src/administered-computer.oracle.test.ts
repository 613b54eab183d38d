/** A computer that an operator adds, deletes and takes back while the server runs. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Backups } from './support/backup/backups.ts'
import { assertHolds } from './support/backup/images.ts'
import { packsOf } from './support/backup/vault-space.ts'
import { Administration } from './support/programs/administration.ts'
import { Agent } from './support/programs/agent.ts'
import { eventually } from './support/programs/calls.ts'
import { notInstalled } from './support/programs/not-installed.ts'
import { cleanUp, newFolder, provisionedWithUpkeep, Server } from './support/programs/server.ts'

after(cleanUp)

const computer = '/backup/accounts/acme/computers/web-01'

test('a computer that is added at run time is backed up, deleted, taken back and restored, and goes from the vault in the end', {
  skip: notInstalled('/usr/bin/qemu-img'),
}, async () => {
  const [home, agentHome] = [newFolder(), newFolder()]
  const image = join(agentHome, 'image.raw')
  writeFileSync(image, randomBytes(6 * 2 ** 20))
  const server = await Server.start(home, provisionedWithUpkeep)
  const operator = await Administration.connect(server)
  const added = await operator.call('POST', '/backup/accounts/acme/computers', { id: 'web-01', name: 'Web' })
  assert.equal(added.status, 201, await added.clone().text())
  const { enrolmentKey } = (await added.json()) as { enrolmentKey: string }

  const agent = await Agent.start(server, agentHome, [], { computer: 'web-01', enrolmentKey })
  rmSync(join(agentHome, 'enrolment-key'))
  const backups = await Backups.connect(server, 'web-01')
  const revision = await backups.backUp(image)

  assert.equal((await operator.call('DELETE', computer)).status, 204)
  await agent.program.line(/does not enrol this computer either/)
  assert.equal((await backups.call('GET', '')).status, 404)
  const listed = (await (
    await operator.call('GET', '/backup/accounts/acme/computers?deleted=true')
  ).json()) as {
    items: { id: string }[]
  }
  assert.deepEqual(
    listed.items.map(({ id }) => id),
    ['web-01'],
  )

  assert.equal((await operator.call('POST', `${computer}/undelete`)).status, 200)
  await backups.untilOnline()
  assertHolds(await backups.restore(revision, join(agentHome, 'restored')), image)
  assert.doesNotMatch(agent.program.output.replace(/enrolled as/, ''), /enrolled as/, 'it has enrolled once')
  assert.equal((await operator.call('DELETE', computer)).status, 204)
  await server.program.stop()

  const hasty = await Server.start(home, {
    ...provisionedWithUpkeep,
    backup: { ...provisionedWithUpkeep.backup, deletionGraceDays: 0 },
  })
  const owner = await Administration.connect(hasty)
  const computerReply = (await (await owner.call('GET', computer)).json()) as { purgeAt: string }
  assert.ok(
    Date.parse(computerReply.purgeAt) > Date.now() + 29 * 86_400_000,
    'what was promised before holds',
  )
  assert.ok(packsOf(home).sizeBytes > 6 * 2 ** 20)
  assert.equal((await owner.call('POST', `${computer}/undelete`)).status, 200)
  assert.equal((await owner.call('DELETE', computer)).status, 204)
  await eventually('the removal', async () =>
    (await owner.call('GET', computer)).status === 404 && packsOf(home).sizeBytes < 2 ** 20
      ? true
      : undefined,
  )
  await agent.program.stop()
  await hasty.remove()
})
