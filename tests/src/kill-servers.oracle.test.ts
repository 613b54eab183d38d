/**
 * Of three servers on one PostgreSQL and one bucket, and of what they stand on, something is killed or cut off again and again, while
 * clients change the firewall's configuration at all of them and an agent backs up and restores. `KILLS` says how often, for a long run.
 */
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Backups } from './support/backup/backups.ts'
import { ChangingImage } from './support/backup/changing-image.ts'
import { assertHolds, tool } from './support/backup/images.ts'
import { isActive, ServerGroup } from './support/backup/server-group.ts'
import { CountedChanges } from './support/firewall/counted-changes.ts'
import { Agent } from './support/programs/agent.ts'
import { eventually, firewallToken } from './support/programs/calls.ts'
import { notInstalled } from './support/programs/not-installed.ts'
import { cleanUp, newFolder, type Server } from './support/programs/server.ts'

const kills = Number(process.env.KILLS ?? 6)
/** A task waits for a storage that is away, or for the next server, and the agent for both. */
const taskMaxMs = 180_000
const mebibyte = 2 ** 20
const writes = { countMin: 1, countMax: 5, sizeBytes: mebibyte, alignmentBytes: mebibyte }

test(`in ${kills} kills of servers, agent, connections and storage nothing is lost that was acknowledged, and nothing done twice`, {
  skip: notInstalled('/usr/bin/qemu-img'),
  timeout: 120_000 + kills * 60_000,
}, async (t) => {
  const group = await ServerGroup.start()
  t.after(async () => {
    changes.stop()
    await cleanUp()
    await group.stop()
  })
  const first = await group.first('http')
  const servers: Server[] = [first, await group.join(first, 'http'), await group.join(first, 'https')]
  const changes = new CountedChanges(servers, await firewallToken(first))
  const home = newFolder()
  const flags = servers.slice(1).flatMap(({ services }) => ['--server', `${services}/backup`])
  const image = new ChangingImage(join(home, 'image'), home, [writes])
  let agent = await Agent.start(first, home, flags)
  const backups = await Promise.all(servers.map((server) => Backups.connect(server)))
  await changes.begin()

  /** Asks the servers in turn, for as long as it takes until one answers. */
  const ask = (method: string, path: string, body?: object): Promise<Response> =>
    eventually(
      `an answer to ${method} ${path}`,
      async () => {
        const reply = await backups[randomInt(3)]?.call(method, path, body).catch(() => undefined)
        return reply === undefined || reply.status === 503 ? undefined : reply
      },
      taskMaxMs,
    )
  const ended = (kind: 'backups' | 'restores', id: string) =>
    eventually(
      `the end of ${kind} ${id}`,
      async () => {
        const reply = await ask('GET', `/${kind}/${id}`)
        assert.equal(reply.status, 200)
        const task = (await reply.json()) as { state: string; revisionId: number; files: string[] }
        return ['SUCCESS', 'ERROR', 'CANCELED'].includes(task.state) ? task : undefined
      },
      taskMaxMs,
    )
  let folders = 0
  /** Begins a backup. Of one whose answer was lost nobody knows whether it was begun; it is found in the list of all. */
  const begunBackup = () =>
    eventually(
      'a backup to begin',
      async () => {
        const known = await idsOfBackups()
        const reply = await backups[randomInt(3)]
          ?.call('POST', '/backups', { source: { path: image.path } })
          .catch(() => undefined)
        if (reply?.status === 202) return ((await reply.json()) as { data: { id: string } }).data.id
        return (await idsOfBackups()).find((id) => !known.includes(id))
      },
      taskMaxMs,
    )
  /** Begins a restore, as soon as the agent is there. One whose answer was lost writes to a folder that nobody looks at. */
  const begunRestore = (revision: number) =>
    eventually(
      'a restore to begin',
      async () => {
        const destination = { path: join(home, `restored-${++folders}`) }
        const body = { destination, diskFormat: 'Vhdx', revisions: [revision] }
        const reply = await ask('POST', '/restore/diskimage/standard/vhd', body)
        if (reply.status === 204) return reply.headers.get('x-restore-id') ?? ''
        assert.match(await reply.text(), /Agent cannot be reached or is offline/)
        return undefined
      },
      taskMaxMs,
    )
  const listOfBackups = async () =>
    (await (await ask('GET', '/backups?limit=1000')).json()) as {
      id: string
      state: string
      revisionId: number | null
    }[]
  const idsOfBackups = async () => (await listOfBackups()).map(({ id }) => id)

  const revive = async (place: number) => {
    const server = servers[place] as Server
    await server.program.stop('SIGKILL')
    await sleep(randomInt(3000))
    servers[place] = await server.again()
  }
  const placeOf = async (wantsActive: boolean) => {
    for (const [place, server] of servers.entries()) {
      if ((await isActive(server).catch(() => undefined)) === wantsActive) return place
    }
    return 0
  }
  const victims: Readonly<Record<string, () => Promise<unknown>>> = {
    'the active server': async () => revive(await placeOf(true)),
    'a standby': async () => revive(await placeOf(false)),
    'the agent': async () => {
      await agent.program.stop('SIGKILL')
      agent = await Agent.start(servers[0] as Server, home, flags)
    },
    'connections to PostgreSQL': async () => tool('psql', group.database, '-Atc', endOfConnections),
    'the storage': async () => {
      await group.storage.disturb({ away: 'refusing' })
      await sleep(randomInt(3000))
      await group.storage.disturb({})
    },
    'the claim': async () => tool('psql', group.database, '-Atc', endOfClaim),
  }

  const names = Object.keys(victims)
  for (let kill = 0; kill < kills; kill++) {
    const name = names[kill % names.length] ?? ''
    image.change()
    const backup = await begunBackup()
    await sleep(randomInt(1500))
    await victims[name]?.()
    const made = await ended('backups', backup)
    assert.equal(made.state, 'SUCCESS', `${name}: ${JSON.stringify(made)}`)
    image.wasBackedUp(made.revisionId)
    const revision = image.anyRevision()
    const restored = await ended('restores', await begunRestore(revision))
    assert.equal(restored.state, 'SUCCESS', `${name}: ${JSON.stringify(restored)}`)
    assertHolds(restored.files[0] ?? '', image.copyOf(revision))
  }
  await changes.end()
  assert.ok(changes.count > kills, `only ${changes.count} changes were acknowledged`)

  // Each backup has made one revision, and every one of them comes back.
  const successful = (await listOfBackups()).filter(({ state }) => state === 'SUCCESS')
  const listed = ((await (await ask('GET', '/revisions?limit=1000')).json()) as { Id: number }[]).map(
    ({ Id }) => Id,
  )
  assert.deepEqual(
    listed.toSorted((a, b) => a - b),
    successful.map(({ revisionId }) => revisionId).toSorted((a, b) => Number(a) - Number(b)),
  )
  assert.ok(listed.length >= kills)
  await agent.program.stop()
  await Promise.all(servers.map((server) => server.program.stop()))
})

const here = '(SELECT oid FROM pg_database WHERE datname = current_database())'
/** Ends the connection that has the claim on the backups: see libraries/platform/src/database/claim.ts. */
const endOfClaim = `SELECT pg_terminate_backend(pid) FROM pg_locks
  WHERE locktype = 'advisory' AND classid = ${0x70616c69} AND database = ${here}`
const endOfConnections = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid()`
