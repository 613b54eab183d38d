import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Backups } from './support/backup/backups.ts'
import { Agent } from './support/programs/agent.ts'
import { notInstalled } from './support/programs/not-installed.ts'
import { cleanUp, newFolder, provisioned } from './support/programs/server.ts'
import { WatchedServer } from './support/programs/watched-server.ts'

after(cleanUp)

const mebibyte = 2 ** 20
const dayMs = 24 * 60 * 60_000

const lookedAfter = { ...provisioned, backup: { ...provisioned.backup, upkeep: { lookEverySeconds: 1 } } }

/** A server, an agent that runs machines in QEMU, and an image that it may read. */
async function started() {
  const folder = newFolder()
  const image = join(folder, 'volume.img')
  writeFileSync(image, randomBytes(4 * mebibyte))
  const machines = join(folder, 'machines')
  mkdirSync(machines)
  const watched = await WatchedServer.start(lookedAfter)
  const startAgent = () => Agent.start(watched.server, folder, ['--host', `hv01=qemu:${machines}`])
  const agent = await startAgent()
  const backups = await Backups.connect(watched.server)
  const createSet = async (more: object) => {
    const reply = await backups.call('POST', '/backupsets', {
      name: 'nightly',
      type: 'Disk_Image',
      selection: [{ path: image }],
      schedule: [{ type: 'manual' }],
      ...more,
    })
    const text = await reply.text()
    assert.equal(reply.status, 201, text)
    return JSON.parse(text).data.id as string
  }
  const run = async (backupSetId: string) =>
    (await backups.actionEnded(await backups.call('POST', '/backupsets/run', { backupSetId }))).state
  return { watched, agent, startAgent, backups, image, createSet, run }
}

test('an agent that was killed is told of when it is away for a quarter of an hour, until it is back', async () => {
  const { watched, agent, startAgent, backups } = await started()
  await agent.program.kill()
  await backups.untilOffline()
  assert.ok((await watched.list()).every(({ condition }) => condition !== 'agent-gone'))
  watched.setBack(`UPDATE backup_computer SET last_seen_at = last_seen_at - ${16 * 60_000}`)
  const condition = await watched.raised('agent-gone')
  assert.deepEqual(
    [condition.service, condition.subject, condition.severity],
    ['backup', 'computer acme/0001', 'warning'],
  )
  await startAgent()
  await watched.resolved(condition)
  await watched.stop()
})

test('a set without a good backup for longer than it promises, and one whose run failed, until a run succeeds', async () => {
  const { watched, image, createSet, run } = await started()
  const set = await createSet({ schedule: [{ type: 'daily', hour: 23, minute: 0 }] })
  watched.setBack(`UPDATE backup_set SET created_at = created_at - ${3 * dayMs}`)
  const overdue = await watched.raised('no-good-backup')
  assert.deepEqual([overdue.subject, overdue.severity], ['set acme/0001/nightly', 'critical'])
  renameSync(image, `${image}.away`)
  assert.equal(await run(set), 'ERROR')
  const failed = await watched.raised('backup-failed')
  assert.deepEqual([failed.subject, failed.severity], ['set acme/0001/nightly', 'critical'])
  renameSync(`${image}.away`, image)
  assert.equal(await run(set), 'SUCCESS')
  await watched.resolved(overdue)
  await watched.resolved(failed)
  await watched.stop()
})

test('a bit that flips in the vault is told of when it is read again, until a backup has mended it', async () => {
  const { watched, backups, createSet, run } = await started()
  const set = await createSet({})
  assert.equal(await run(set), 'SUCCESS')
  const revisions: { Id: number }[] = Object(await (await backups.call('GET', '/revisions')).json())
  const [{ Id: revision } = { Id: 0 }] = revisions
  const vault = join(watched.server.folder, 'data', 'vault')
  const packs = readdirSync(vault, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && entry.parentPath.split('/').includes('packs'),
  )
  assert.ok(packs.length > 0)
  for (const { parentPath, name } of packs) {
    const content = readFileSync(join(parentPath, name))
    const place = Math.floor(content.length / 2)
    content[place] = (content[place] ?? 0) ^ 16
    writeFileSync(join(parentPath, name), content)
  }
  const verify = async () =>
    (await backups.actionEnded(await backups.call('POST', `/revisions/${revision}/verify`, {}))).state
  assert.notEqual(await verify(), 'SUCCESS')
  const damaged = await watched.raised('revision-damaged')
  assert.deepEqual([damaged.subject, damaged.severity], ['computer acme/0001', 'critical'])
  assert.equal(await run(set), 'SUCCESS')
  assert.equal(await verify(), 'SUCCESS')
  await watched.resolved(damaged)
  await watched.stop()
})

test('a set that was never proved, and whose proof then failed, until it is switched off', {
  skip: notInstalled('/usr/bin/qemu-system-x86_64'),
}, async () => {
  const { watched, backups, createSet, run } = await started()
  const session = Object(await (await backups.call('POST', '/restore/hyperv/session')).json())
  const host = Object(
    await (await backups.call('POST', '/restore/hyperv/host/register/local', session)).json(),
  )
  const schedule = [{ type: 'manual' }]
  const settings = { proof: { everyDays: 1, hostId: host.identifier.id, timeoutSeconds: 60 } }
  const set = await createSet({ schedule, settings })
  watched.setBack(`UPDATE backup_set SET created_at = created_at - ${3 * dayMs}`)
  const never = await watched.raised('not-proved')
  assert.match(never.message, /^That its machine starts was not proved since /)

  // No system is on the volume.
  assert.equal(await run(set), 'SUCCESS')
  watched.setBack(`UPDATE backup_timer SET due_at = due_at - ${2 * dayMs} WHERE kind = 'prove-set'`)
  const failed = await watched.raised('not-proved')
  assert.equal(failed.subject, never.subject)
  await watched.says(failed, /^Its last proof of recovery failed: /, 120_000)
  const reply = await backups.call('POST', '/backupsets/toggle', { backupSetId: set, value: false })
  assert.ok(reply.ok)
  await watched.resolved(never)
  await watched.stop()
})
