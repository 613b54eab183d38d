/** Several servers that serve backups in turn, on one PostgreSQL and one bucket, with a real agent. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { NetworkPath } from '@palisade/platform/testing'
import { Backups } from './support/backup/backups.ts'
import { assertHolds, makeExt4 } from './support/backup/images.ts'
import { isActive, ServerGroup } from './support/backup/server-group.ts'
import { Administration } from './support/programs/administration.ts'
import { Agent } from './support/programs/agent.ts'
import { eventually } from './support/programs/calls.ts'
import { notInstalled } from './support/programs/not-installed.ts'
import { Program } from './support/programs/program.ts'
import { cleanUp, newFolder } from './support/programs/server.ts'

describe('backups by several servers', { skip: notInstalled('/usr/bin/qemu-img') }, () => {
  let group: ServerGroup
  before(async () => {
    group = await ServerGroup.start()
  })
  after(async () => {
    await cleanUp()
    await group.stop()
  })

  const auditedAddress = (admin: Administration) =>
    eventually('the entry of the audit log', async () => {
      const reply = await admin.call('GET', '/audit?service=backup')
      const { items } = (await reply.json()) as { items: { address: string }[] }
      return items[0]?.address
    })

  test('any of them is asked, the next one takes over when one is killed or told to end, and nothing is lost', {
    timeout: 300_000,
  }, async () => {
    const first = await group.first('https')
    const second = await group.join(first, 'http')
    assert.deepEqual([await isActive(first), await isActive(second)], [true, false])

    // What a server cannot have when its turn comes it says at its start.
    const withoutKey = new Program(['serve', '--config', await group.lacking(first, ['secret.key'])])
    assert.equal((await withoutKey.ended()).status, 1)
    assert.match(withoutKey.output, /vault\.key is missing/)
    const elsewhere = await group.lacking(first, ['secret.key', 'vault.key'], 'elsewhere/')
    const withoutVault = new Program(['serve', '--config', elsewhere])
    assert.equal((await withoutVault.ended()).status, 1)
    assert.match(withoutVault.output, /backup\.vault: there is no vault in .*elsewhere/)

    const home = newFolder()
    const image = join(home, 'data.img')
    makeExt4(image, 96)
    // Its link, and all that it sends, go through the second server to the first.
    const agent = await Agent.start(second, home, ['--bandwidth', '8M'])
    const atSecond = await Backups.connect(second)
    await atSecond.untilOnline()
    const admin = await Administration.connect({
      services: second.services,
      dataDirectory: first.dataDirectory,
    })
    assert.equal((await admin.call('POST', '/backup/accounts', { id: 'branch' })).status, 201)
    assert.equal((await admin.call('GET', '/backup/accounts/branch')).status, 200)
    assert.equal(await auditedAddress(admin), '127.0.0.1')
    assert.equal((await fetch(`${second.services}/openapi/backup.json`)).status, 200)

    const backup = await atSecond.startBackup(image)
    await eventually('the backup to be under way', async () => {
      const { bytesDone } = await atSecond.task('backups', backup)
      return bytesDone > 0 ? true : undefined
    })
    await first.program.kill()
    await eventually('the second server to be active', async () =>
      (await isActive(second)) ? true : undefined,
    )
    assert.equal((await atSecond.task('backups', backup)).state, 'RUNNING')
    const ended = await eventually('the end of the backup', async () => {
      const reply = await atSecond.call('GET', `/backups/${backup}`)
      const task = reply.ok ? ((await reply.json()) as { state: string; revisionId: number }) : undefined
      return task && ['SUCCESS', 'ERROR'].includes(task.state) ? task : undefined
    })
    assert.equal(ended.state, 'SUCCESS', agent.program.output.slice(-2000))

    // The one that was killed comes back as a standby, and reads what it did not write.
    const again = await first.again()
    assert.deepEqual([await isActive(again), await isActive(second)], [false, true])
    const refused = await fetch(`${again.services}/backup/v2/accounts/acme/computers`, {
      headers: { 'palisade-relayed': '1' },
    })
    assert.equal(refused.status, 503, 'what another server has passed on is not passed on again')
    assert.equal(refused.headers.get('retry-after'), '2')
    assert.match(await refused.text(), /takes its place within a minute/)
    const atFirst = await Backups.connect(again)
    await atFirst.untilOnline()
    const restore = await atFirst.startRestore([ended.revisionId], home)
    await second.program.stop()
    await eventually('the first server to be active again', async () =>
      (await isActive(again)) ? true : undefined,
    )
    const third = await second.again()
    await (await Backups.connect(third)).untilOnline()
    const restored = await atFirst.ended('restores', restore)
    assert.equal(restored.state, 'SUCCESS', JSON.stringify(restored))
    assertHolds(restored.files?.[0] ?? '', image)
    await third.program.stop()
    await again.program.stop()
  })

  test('one that was stopped for too long gives way to the one that has come in its place', {
    timeout: 300_000,
  }, async () => {
    const installation = await group.another('cut-off/')
    const first = await installation.first('http')
    const second = await installation.join(first, 'http')
    const home = newFolder()
    const image = join(home, 'data.img')
    makeExt4(image, 48)
    await Agent.start(first, home)
    const atFirst = await Backups.connect(first)
    const revision = await atFirst.backUp(image)

    // It can do nothing while PostgreSQL ends its claim, and knows nothing of that afterwards.
    first.program.signal('SIGSTOP')
    await second.program.line(/takes its place/)
    assert.equal(await isActive(second), false, 'the vault is still in use')
    first.program.signal('SIGCONT')
    await first.program.line(/another server has the backups|leaves the backups/)
    await eventually('the second server to be active', async () => (await isActive(second)) || undefined)
    assert.equal(await isActive(first), false)

    await atFirst.untilOnline()
    await atFirst.backUp(image)
    const restored = await atFirst.restore(revision, home)
    assertHolds(restored, image)
  })

  test('none gives way while PostgreSQL is away for all, and what is under way goes on', {
    timeout: 300_000,
  }, async (t) => {
    let path: NetworkPath | undefined
    t.after(() => path?.close())
    const installation = await group.another('away/', (database) => {
      path = new NetworkPath(database)
      return path.open()
    })
    assert.ok(path)
    const first = await installation.first('http')
    const second = await installation.join(first, 'http')
    const home = newFolder()
    const image = join(home, 'data.img')
    makeExt4(image, 48)
    await Agent.start(first, home, ['--bandwidth', '2M'])
    const atFirst = await Backups.connect(first)
    await atFirst.untilOnline()
    const backup = await atFirst.startBackup(image)
    await eventually('the backup to be under way', async () =>
      (await atFirst.task('backups', backup)).bytesDone > 0 ? true : undefined,
    )
    path.close()
    await delay(awayMs)
    assert.deepEqual([await isActive(first), await isActive(second)], [true, false])
    await path.open()
    assert.equal((await atFirst.ended('backups', backup)).state, 'SUCCESS')
    assert.deepEqual([await isActive(first), await isActive(second)], [true, false])
    assert.doesNotMatch(first.program.output, /leaves the backups/)
  })
})

/** Longer than an active server waits that another one asks for the vault. */
const awayMs = 14_000
