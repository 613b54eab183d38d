/**
 * Servers and an agent on machines of their own (network namespaces), whose packets are dropped without anybody being told, as when a
 * machine loses its power or a cable is pulled.
 */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { Backups } from './support/backup/backups.ts'
import { assertHolds, makeExt4 } from './support/backup/images.ts'
import { noSeparateMachines, SeparateNetwork } from './support/backup/separate-machines.ts'
import { isActive, ServerGroup } from './support/backup/server-group.ts'
import { Agent } from './support/programs/agent.ts'
import { eventually } from './support/programs/calls.ts'
import { notInstalled } from './support/programs/not-installed.ts'
import { cleanUp, newFolder, type Server } from './support/programs/server.ts'

/** Two more partitions, for a run by hand: between the agent and a server, and between a server and the storage. */
const isLong = process.env.PARTITIONS === 'all'

test('a machine that is cut off loses the vault to another one, a backup goes on there, and nothing is lost when it comes back', {
  skip: notInstalled('/usr/bin/qemu-img') || noSeparateMachines(),
  timeout: 300_000,
}, async (t) => {
  const network = new SeparateNetwork()
  const group = await ServerGroup.start(network.host)
  t.after(async () => {
    await cleanUp()
    await group.stop()
    network.remove()
  })
  const machines = [network.machine(), network.machine(), network.machine()] as const
  const first = await group.first('http', machines[0])
  const second = await group.join(first, 'http', machines[1])
  const home = newFolder()
  /** The images that were backed up, by their revisions. */
  const images = new Map<number, string>()
  let imageCount = 0
  const newImage = () => {
    const image = join(home, `data-${++imageCount}.img`)
    makeExt4(image, 24)
    return image
  }
  const flags = ['--server', `${second.services}/backup`, '--bandwidth', '8M']
  const agent = await Agent.start(first, home, flags, undefined, {}, machines[2].enter)
  const atFirst = await Backups.connect(first)
  const atSecond = await Backups.connect(second)
  const firstImage = newImage()
  const acknowledged = await atFirst.backUp(firstImage)
  images.set(acknowledged, firstImage)
  const began = performance.now()
  const say = (what: string) => t.diagnostic(`${((performance.now() - began) / 1000).toFixed(1)} s: ${what}`)
  const untilActive = (server: Server) =>
    eventually('the other server to be active', async () => (await isActive(server)) || undefined, 120_000)
  /** A task when it has ended. A server answers 503 for as long as it knows of nobody who has the backups. */
  const ended = async (backups: Backups, kind: 'backups' | 'restores', id: string) => {
    const look = async () => {
      const reply = await backups.call('GET', `/${kind}/${id}`)
      const task = reply.ok
        ? ((await reply.json()) as { state: string; revisionId: number; files: string[] })
        : undefined
      return task && ['SUCCESS', 'ERROR'].includes(task.state) ? task : undefined
    }
    const task = await eventually(`the end of ${kind} ${id}`, look, 120_000)
    assert.equal(task.state, 'SUCCESS', agent.program.output.slice(-2000))
    return task
  }
  const restoresAt = async (backups: Backups, revision: number) => {
    const folder = join(home, `restored-${++imageCount}`)
    const id = await eventually('a restore to begin', () =>
      backups.startRestore([revision], folder).catch(() => undefined),
    )
    const { files } = await ended(backups, 'restores', id)
    assertHolds(files[0] ?? '', images.get(revision) ?? '')
  }

  /** A backup of a new image, when it has begun. */
  const backupUnderWay = async (backups: Backups) => {
    const image = newImage()
    const id = await eventually('a backup to begin', () => backups.startBackup(image).catch(() => undefined))
    await eventually('the backup to be under way', async () => {
      const reply = await backups.call('GET', `/backups/${id}`)
      const { bytesDone = 0 } = (await reply.json()) as { bytesDone?: number }
      return bytesDone > 0 || undefined
    })
    return { id, image }
  }
  const endsAt = async (backups: Backups, { id, image }: { id: string; image: string }): Promise<number> => {
    const { revisionId } = await ended(backups, 'backups', id)
    images.set(revisionId, image)
    return revisionId
  }

  let backup = await backupUnderWay(atFirst)
  say('the machine of the active server is cut off from all others')
  machines[0].cutOff()
  await untilActive(second)
  say('the second is active')
  await atSecond.untilOnline()
  say('the agent is there')
  const revision = await endsAt(atSecond, backup)
  say('the backup has ended')
  machines[0].heal()
  await first.program.line(/another server has the backups|leaves the backups/)
  await eventually('the first server to be a standby', async () => !(await isActive(first)) || undefined)
  say('the first is a standby')
  await atFirst.untilOnline()
  await restoresAt(atFirst, revision)
  assert.equal(await isActive(second), true)
  assert.notEqual(revision, acknowledged)

  backup = await backupUnderWay(atSecond)
  say('the active server is cut off from PostgreSQL')
  machines[1].cutOff(network.host, Number(new URL(group.database).port))
  await untilActive(first)
  say('the first is active')
  await atFirst.untilOnline()
  say('the agent is there')
  await endsAt(atFirst, backup)
  say('the backup has ended')
  machines[1].heal()
  await restoresAt(atFirst, acknowledged)
  if (!isLong) return

  backup = await backupUnderWay(atFirst)
  say('the agent is cut off from the active server')
  machines[2].cutOff(machines[0].host)
  await endsAt(atFirst, backup)
  say('the backup has ended')
  machines[2].heal()

  backup = await backupUnderWay(atFirst)
  say('the active server is cut off from the storage')
  machines[0].cutOff(network.host, Number(new URL(group.storage.bucket.endpoint).port))
  await untilActive(second)
  say('the second is active')
  const last = await endsAt(atSecond, backup)
  say('the backup has ended')
  machines[0].heal()
  await restoresAt(atSecond, last)
  await restoresAt(atSecond, revision)
  say('all is restored')
})
