/** Backups through a server that stands by, which stores their chunks itself: on one PostgreSQL and one bucket, with a real agent. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Backups } from './support/backup/backups.ts'
import { assertHolds, makeExt4 } from './support/backup/images.ts'
import { ServerGroup } from './support/backup/server-group.ts'
import { Agent } from './support/programs/agent.ts'
import { notInstalled } from './support/programs/not-installed.ts'
import { cleanUp, newFolder, type Server } from './support/programs/server.ts'

describe('uploads through a server that stands by', { skip: notInstalled('/usr/bin/qemu-img') }, () => {
  let group: ServerGroup
  before(async () => {
    group = await ServerGroup.start()
  })
  after(async () => {
    await cleanUp()
    await group.stop()
  })

  test('are stored by that server, and come back byte for byte', { timeout: 300_000 }, async () => {
    const first = await group.first('https')
    const second = await group.join(first, 'http')
    const home = newFolder()
    const image = join(home, 'data.img')
    makeExt4(image, 96)
    const agent = await Agent.start(second, home)
    const backups = await Backups.connect(second)
    await backups.untilOnline()
    const revision = await backups.backUp(image)
    console.log(await packsOf(second, 'taken'), await packsOf(second,'lost'), (await (await fetch(second.services+'/metrics')).text()).match(/.*standby.*/g), agent.program.output.slice(-1500), first.program.output.slice(-1500))
    assert.ok((await packsOf(second, 'taken')) >= 2, second.program.output.slice(-3000))
    assert.equal(await packsOf(second, 'lost'), 0)
    assert.equal(await packsOf(first, 'taken'), 0)
    assertHolds(await backups.restore(revision, home), image)
    assert.doesNotMatch(agent.program.output, /reading the volume again/)
  })
})

/** How many packs a server has stored while another one had the vault. */
async function packsOf(server: Server, outcome: 'taken' | 'lost'): Promise<number> {
  const metrics = await (await fetch(`${server.services}/metrics`)).text()
  const [, count] =
    new RegExp(`^palisade_backup_standby_packs_total\\{outcome="${outcome}"\\} (\\d+)$`, 'm').exec(metrics) ??
    []
  return Number(count)
}
