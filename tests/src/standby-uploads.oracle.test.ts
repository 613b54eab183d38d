/**
 * Backups through servers that stand by, which store the chunks themselves: on one PostgreSQL and one bucket, with a real agent. Servers are
 * killed and stopped at random moments while collections free whatever no revision needs. `KILLS` says how often, for a long run.
 */
import assert from 'node:assert/strict'
import { randomBytes, randomInt } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Backups } from './support/backup/backups.ts'
import { ChangingImage } from './support/backup/changing-image.ts'
import { assertHolds } from './support/backup/images.ts'
import { isActive, ServerGroup } from './support/backup/server-group.ts'
import { Agent } from './support/programs/agent.ts'
import { eventually } from './support/programs/calls.ts'
import { notInstalled } from './support/programs/not-installed.ts'
import { Program } from './support/programs/program.ts'
import { cleanUp, newFolder, provisionedWithUpkeep, type Server } from './support/programs/server.ts'

const kills = Number(process.env.KILLS ?? 4)
/** A task waits for the next server, and the agent for one that says nothing. */
const taskMaxMs = 240_000
const mebibyte = 2 ** 20
const writes = { countMin: 4, countMax: 12, sizeBytes: mebibyte, alignmentBytes: mebibyte }

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
    writeFileSync(image, randomBytes(100 * mebibyte))
    const agent = await Agent.start(second, home)
    const backups = await Backups.connect(second)
    await backups.untilOnline()
    const revision = await backups.backUp(image)
    assert.ok((await packsOf(second, 'taken')) >= 3, second.program.output.slice(-3000))
    assert.deepEqual([await packsOf(second, 'lost'), await packsOf(first, 'taken')], [0, 0])
    assert.doesNotMatch(agent.program.output, /reading the volume again/)
    assertHolds(await backups.restore(revision, home), image)

    await agent.program.stop()
    await second.program.stop()
    await first.program.stop()
    await assertVaultWhole(first)
  })

  test(`lose nothing in ${kills} kills and stops of servers, beside collections`, {
    timeout: 120_000 + kills * taskMaxMs,
  }, async () => {
    const installation = await group.another('killed/', undefined, provisionedWithUpkeep.backup)
    const servers: Server[] = [await installation.first('http')]
    for (const scheme of ['http', 'https'] as const) {
      servers.push(await installation.join(servers[0] as Server, scheme))
    }
    const home = newFolder()
    const image = new ChangingImage(join(home, 'image'), home, [writes])
    // It begins with a server that stands by.
    const flags = [servers[2], servers[0]].flatMap((server) => ['--server', `${server?.services}/backup`])
    const agent = await Agent.start(servers[1] as Server, home, [...flags, '--bandwidth', '12M'])

    /** Asks the servers in turn, until one answers. */
    const ask = (method: string, path: string, body?: object): Promise<Response> =>
      eventually(
        `an answer to ${method} ${path}`,
        async () => {
          const server = servers[randomInt(3)] as Server
          const call = async () => (await Backups.connect(server)).call(method, path, body)
          // One that is stopped never answers.
          const reply = await within(5_000, call())
          return reply === undefined || reply.status === 503 ? undefined : reply
        },
        taskMaxMs,
      )
    const ended = (kind: 'backups' | 'restores', id: string) =>
      eventually(
        `the end of ${kind} ${id}`,
        async () => {
          const task = (await (await ask('GET', `/${kind}/${id}`)).json()) as {
            state: string
            revisionId: number
            files: string[]
          }
          return ['SUCCESS', 'ERROR', 'CANCELED'].includes(task.state) ? task : undefined
        },
        taskMaxMs,
      )
    const placeOf = (wantsActive: boolean) =>
      eventually(`a server that is ${wantsActive ? 'active' : 'a standby'}`, async () => {
        for (const place of [1, 2, 0]) {
          const isIt = await within(2_000, isActive(servers[place] as Server))
          if (isIt === wantsActive) return place
        }
        return undefined
      })
    const revive = async (place: number) => {
      await (servers[place] as Server).program.kill()
      servers[place] = await (servers[place] as Server).again()
    }
    /** Stops a server until something has happened elsewhere. */
    const whileStopped = async (place: number, work: () => Promise<unknown>) => {
      servers[place]?.program.signal('SIGSTOP')
      try {
        return await work()
      } finally {
        servers[place]?.program.signal('SIGCONT')
      }
    }
    const victims: Readonly<Record<string, (backup: string) => Promise<unknown>>> = {
      'a standby is killed': async () => revive(await placeOf(false)),
      'the active server is killed': async () => revive(await placeOf(true)),
      'a standby is stopped until the backup has ended': async (backup) =>
        whileStopped(await placeOf(false), () => ended('backups', backup)),
      'a standby is stopped until another server is active': async () => {
        const [active, standby] = [await placeOf(true), await placeOf(false)]
        await whileStopped(standby, () => revive(active))
      },
    }
    const names = Object.keys(victims)
    const taken: number[] = [0, 0, 0]
    for (let kill = 0; kill < kills; kill++) {
      const name = names[kill % names.length] ?? ''
      image.change()
      const backup = await eventually('a backup to begin', async () => {
        const reply = await ask('POST', '/backups', { source: { path: image.path } })
        return reply.status === 202 ? ((await reply.json()) as { data: { id: string } }).data.id : undefined
      })
      await sleep(randomInt(2500))
      for (const [place, server] of servers.entries()) {
        taken[place] = Math.max(taken[place] ?? 0, (await within(2_000, packsOf(server, 'taken'))) ?? 0)
      }
      await victims[name]?.(backup)
      const made = await ended('backups', backup)
      assert.equal(made.state, 'SUCCESS', `${name}: ${JSON.stringify(made)}`)
      image.wasBackedUp(made.revisionId)
      const revision = image.anyRevision()
      const restored = await eventually('a restore to begin', async () => {
        const body = {
          destination: { path: join(home, `restored-${kill}`) },
          diskFormat: 'Vhdx',
          revisions: [revision],
        }
        const reply = await ask('POST', '/restore/diskimage/standard/vhd', body)
        return reply.status === 204 ? (reply.headers.get('x-restore-id') ?? '') : undefined
      })
      const restore = await ended('restores', restored)
      assert.equal(restore.state, 'SUCCESS', `${name}: ${JSON.stringify(restore)}`)
      assertHolds(restore.files[0] ?? '', image.copyOf(revision))
    }
    assert.ok(Math.max(...taken) > 0, 'no server has stored anything while it stood by')
    await agent.program.stop()
    await Promise.all(servers.map((server) => server.program.stop()))
    await assertVaultWhole(servers[0] as Server)
  })
})

/** Undefined when it fails, or takes longer. */
async function within<Result>(ms: number, work: Promise<Result>): Promise<Result | undefined> {
  const late = sleep(ms, undefined, { ref: false })
  return Promise.race([work.catch(() => undefined), late])
}

/** How many packs a server has stored since it was started, while another one had the vault. */
async function packsOf(server: Server, outcome: 'taken' | 'lost'): Promise<number> {
  const metrics = await (await fetch(`${server.services}/metrics`)).text()
  const pattern = new RegExp(`^palisade_backup_standby_packs_total\\{outcome="${outcome}"\\} (\\d+)$`, 'm')
  return Number(pattern.exec(metrics)?.[1])
}

/** Has every byte of the vault looked at; no server has it open. */
async function assertVaultWhole(server: Server): Promise<void> {
  const check = new Program([
    'vault',
    'check',
    '--read-data',
    '--config',
    join(server.folder, 'palisade.json'),
  ])
  const { status } = await check.ended()
  assert.equal(status, 0, check.output)
}
