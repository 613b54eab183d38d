import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Backups } from './support/backup/backups.ts'
import { Agent } from './support/programs/agent.ts'
import { eventually } from './support/programs/calls.ts'
import { cleanUp, newFolder, Server } from './support/programs/server.ts'

after(cleanUp)

const mebibyte = 2 ** 20
const timeout = 240_000
/** Where somebody is killed: when the restore was accepted, or when the host was asked for the machine or for its start. */
const moments = ['accepted', 'define', 'complete-definition', 'start'] as const

interface Restored {
  readonly state: string
  readonly files: readonly string[]
  readonly machine: { readonly id: string; readonly state: string }
}

interface SimulatedMachine {
  readonly definition: { readonly id: string; readonly disks: readonly { readonly path: string }[] }
  readonly isComplete: boolean
  readonly isRunning: boolean
}

/** The simulated host lives in a folder, and waits where it is told to; see the agent's `simulated-host-in-folder.ts`. */
describe('a restore as a machine outlives its agent and its server', () => {
  const folder = newFolder()
  const host = join(folder, 'host')
  const flags = ['--host', `hv01=simulated:${host}`]
  let server: Server
  let agent: Agent
  let backups: Backups
  let body: object
  before(async () => {
    mkdirSync(host)
    server = await Server.start(folder)
    agent = await Agent.start(server, folder, flags)
    backups = await Backups.connect(server)
    const image = join(folder, 'image.raw')
    writeFileSync(image, bootableDisk())
    const revisions = [await backups.backUp(image, 1)]
    const { sessionId } = await call<{ sessionId: string }>('/restore/hyperv/session')
    const { identifier } = await call<{ identifier: { id: number } }>('/restore/hyperv/host/register/local', {
      sessionId,
    })
    body = {
      sessionId,
      hostId: identifier.id,
      recoveryType: 'TestRecovery',
      diskFormat: 'Vhdx',
      firmwareType: 'Bios',
      hostProperties: { name: 'again', cores: 1, memory: 512 },
      revisions,
      start: true,
    }
  })
  after(async () => {
    await agent.program.stop()
    await server.remove()
  })

  const call = async <Reply>(path: string, content?: object): Promise<Reply> => {
    const reply = await backups.call('POST', path, content)
    const text = await reply.text()
    assert.equal(reply.status, 200, text)
    return JSON.parse(text) as Reply
  }
  const machines = (): readonly SimulatedMachine[] => {
    const path = join(host, 'machines.json')
    return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : []
  }

  const kill = async (victim: 'agent' | 'server') => {
    await (victim === 'agent' ? agent : server).program.stop('SIGKILL')
  }
  const revive = async (victim: 'agent' | 'server') => {
    if (victim === 'agent') {
      agent = await Agent.start(server, folder, flags)
      return
    }
    server = await server.again()
    backups = await Backups.connect(server)
    await backups.untilOnline()
  }

  for (const victim of ['agent', 'server'] as const) {
    for (const moment of moments) {
      test(`the ${victim} is killed: ${moment}`, { timeout }, async () => {
        const target = join(folder, `${victim}-${moment}`)
        const pause = join(host, `pause-${moment}`)
        const at = join(host, `at-${moment}`)
        writeFileSync(pause, '')
        const reply = await backups.call('POST', '/restore/diskimage/standard/vm', {
          ...body,
          diskLocation: { path: target },
        })
        assert.equal(reply.status, 204, await reply.text())
        const id = reply.headers.get('x-restore-id') ?? ''
        if (moment !== 'accepted') {
          await eventually(`coming to ${moment}`, async () => (existsSync(at) ? true : undefined))
        }
        await kill(victim)
        rmSync(pause)
        rmSync(at, { force: true })
        await revive(victim)
        const ended = (await backups.ended('restores', id)) as unknown as Restored
        const file = join(target, readdirSync(target)[0] ?? '')
        assert.deepEqual([ended.state, ended.machine.state, ended.files], ['SUCCESS', 'STARTED', [file]])
        assert.equal(readdirSync(target).length, 1, 'one disk, written once')
        assert.deepEqual(
          machines().map(({ definition, isComplete, isRunning }) => ({
            id: definition.id,
            paths: definition.disks.map(({ path }) => path),
            isComplete,
            isRunning,
          })),
          [{ id, paths: [file], isComplete: true, isRunning: true }],
        )
        const removed = await backups.call('DELETE', `/restores/${id}/machine`)
        assert.equal(removed.status, 204, await removed.text())
        assert.deepEqual([machines(), readdirSync(target)], [[], []])
      })
    }
  }
})

/** A disk with an MBR, whose one partition a BIOS would start. */
function bootableDisk(): Buffer {
  const disk = Buffer.alloc(24 * mebibyte)
  disk[446] = 0x80
  disk[450] = 0x83
  disk.writeUInt32LE(2048, 454)
  disk.writeUInt32LE(disk.length / 512 - 2048, 458)
  disk.set([0x55, 0xaa], 510)
  disk.set(randomBytes(8 * mebibyte), 2 * mebibyte)
  return disk
}
