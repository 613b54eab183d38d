/**
 * Agent and server are killed in turn, at random moments of backups, restores, retention and collections. Afterwards
 * every revision that is listed comes back byte for byte, no unfinished disk ever had a finished name, and when all
 * revisions are deleted the vault holds nothing. `KILLS` says how often, for a long run.
 */
import assert from 'node:assert/strict'
import { createHash, randomBytes, randomInt } from 'node:crypto'
import {
  closeSync,
  copyFileSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent } from './support/agent.ts'
import { Backups } from './support/backups.ts'
import { eventually } from './support/calls.ts'
import { cleanUp } from './support/clean-up.ts'
import { assertHolds, finishedDisks } from './support/disk-files.ts'
import { notInstalled } from './support/not-installed.ts'
import { Program } from './support/program.ts'
import { newFolder, provisionedWithUpkeep, Server } from './support/server.ts'

after(cleanUp)

const kills = Number(process.env.KILLS ?? 12)
const mebibyte = 2 ** 20
const volumeMiB = 48
const revisionsKept = 3

/** Who is killed, and so long at most after what: the beginning of a backup and a restore, or the end of the backup. */
const plans = [
  { victim: 'agent', since: 'beginning', afterMsMax: 1200 },
  { victim: 'server', since: 'beginning', afterMsMax: 1200 },
  { victim: 'agent', since: 'beginning', afterMsMax: 300 },
  { victim: 'server', since: 'backup', afterMsMax: 1600 },
] as const

/** One installation, with what it must be able to give back. */
class Installation {
  readonly folder: string
  /** What was unfinished when something was killed. */
  readonly hits = { backups: 0, restores: 0, deletions: 0 }
  readonly #image: string
  #server: Server
  #agent: Agent
  #backups: Backups
  readonly #setId: string
  /** A copy of the volume for each revision, as it was when it was backed up. */
  readonly #copies = new Map<number, string>()

  private constructor(server: Server, agent: Agent, backups: Backups, setId: string) {
    this.folder = server.folder
    this.#image = imageIn(server.folder)
    this.#server = server
    this.#agent = agent
    this.#backups = backups
    this.#setId = setId
  }

  static async start(): Promise<Installation> {
    // Kills are to fall into collections, too.
    const server = await Server.start(newFolder(), provisionedWithUpkeep)
    const path = imageIn(server.folder)
    writeFileSync(path, randomBytes(16 * mebibyte))
    truncateSync(path, volumeMiB * mebibyte)
    const agent = await Agent.start(server, server.folder)
    const backups = await Backups.connect(server)
    const reply = await backups.call('POST', '/backupsets', {
      name: 'all',
      type: 'Disk_Image',
      selection: [{ path }],
      schedule: [{ type: 'manual' }],
      settings: { retention: { keepLast: revisionsKept } },
    })
    const installation = new Installation(server, agent, backups, await idIn(reply))
    await installation.#backedUp(await installation.#startBackup())
    return installation
  }

  /** Lets a backup, a restore and a collection begin, kills somebody in the middle of it, and sees to it that all end well. */
  async round({ victim, since, afterMsMax }: (typeof plans)[number]): Promise<void> {
    this.#changeVolume()
    const action = await this.#startBackup()
    const revision = anyOf([...this.#copies.keys()])
    const target = join(this.folder, 'restored')
    const restore = await this.#backups.startRestore([revision], target)
    if (since === 'backup') await this.#backedUp(action)
    await sleep(randomInt(afterMsMax))
    const deletion = since === 'backup' ? this.#deleteAny() : undefined
    await sleep(deletion === undefined ? 0 : randomInt(20))
    await this.#kill(victim, action, restore)
    for (const file of finishedDisks(target)) assertHolds(file, this.#copyOf(revision))
    await this.#revive(victim)
    await this.#backedUp(action)
    await this.#restored(restore, revision, target)
    await this.#compareList(await deletion)
  }

  /** Every listed revision comes back, and is intact as the server sees it. */
  async assertAllThere(): Promise<void> {
    const target = join(this.folder, 'last')
    for (const revision of await this.#listed()) {
      assertHolds(await this.#backups.restore(revision, target), this.#copyOf(revision))
      const verification = await this.#backups.call('POST', `/revisions/${revision}/verify`, {})
      assert.equal((await this.#backups.actionEnded(verification)).state, 'SUCCESS')
    }
  }

  /** The operator's own check of the vault, every byte of it, finds nothing. */
  async assertVaultSound(): Promise<void> {
    await this.#server.program.stop()
    const check = new Program([
      'vault',
      'check',
      '--read-data',
      '--config',
      join(this.folder, 'palisade.json'),
    ])
    assert.equal((await check.ended()).status, 0, check.output)
    await this.#revive('server')
  }

  /** What the vault holds is what the revisions need, but for what a collection leaves for its next time. */
  async assertNothingLeaked(): Promise<void> {
    const neededBytes = distinctBytes([...this.#copies.values()])
    await eventually('the collection', async () => {
      const storedBytes = packsOf(this.folder).reduce((sum, { size }) => sum + size, 0)
      assert.ok(storedBytes >= neededBytes, `${storedBytes} bytes are stored and ${neededBytes} needed`)
      // A pack is left as it is when more than half of it is needed.
      return storedBytes <= 2 * neededBytes ? true : undefined
    })
    for (const revision of await this.#listed()) {
      assert.equal((await this.#backups.call('DELETE', `/revisions/${revision}`)).status, 204)
    }
    await eventually('the last collection', async () =>
      packsOf(this.folder).length === 0 ? true : undefined,
    )
    assert.deepEqual(readdirSync(join(this.folder, 'agent-state', 'journal')), [])
  }

  async stop(): Promise<void> {
    await this.#agent.program.stop()
    await this.#server.program.stop()
  }

  #changeVolume(): void {
    const file = openSync(this.#image, 'r+')
    for (let count = randomInt(1, 6); count > 0; count--) {
      writeSync(file, randomBytes(mebibyte), 0, mebibyte, randomInt(volumeMiB) * mebibyte)
    }
    closeSync(file)
  }

  async #startBackup(): Promise<string> {
    return idIn(await this.#backups.call('POST', '/backupsets/run', { backupSetId: this.#setId }))
  }

  /** Waits for the end of a backup, and keeps what it was made of. */
  async #backedUp(action: string): Promise<void> {
    const { state, reason, backups } = await this.#ended(action)
    assert.equal(state, 'SUCCESS', reason)
    for (const id of backups) {
      const { revisionId } = await this.#backups.task('backups', id)
      assert.ok(revisionId)
      if (this.#copies.has(revisionId)) continue
      copyFileSync(this.#image, `${this.#image}.${revisionId}`)
      this.#copies.set(revisionId, `${this.#image}.${revisionId}`)
    }
  }

  async #restored(id: string, revision: number, target: string): Promise<void> {
    const ended = await this.#backups.ended('restores', id)
    assert.equal(ended.state, 'SUCCESS', JSON.stringify(ended))
    const [file = '', ...more] = finishedDisks(target)
    assert.deepEqual([ended.files, more], [[file], []], 'one disk, written once')
    assertHolds(file, this.#copyOf(revision))
    await eventually('the removal of the partial file', async () =>
      readdirSync(target).length === 1 ? true : undefined,
    )
    rmSync(target, { recursive: true })
  }

  /** Deletes a revision, or is killed over it. @returns which one, when the server said that it is done */
  async #deleteAny(): Promise<number | undefined> {
    const revision = anyOf([...this.#copies.keys()])
    try {
      const { status } = await this.#backups.call('DELETE', `/revisions/${revision}`)
      return status === 204 ? revision : undefined
    } catch {
      // Nobody knows whether it happened: either is right.
      this.hits.deletions++
      return undefined
    }
  }

  async #kill(victim: 'agent' | 'server', action: string, restore: string): Promise<void> {
    const [backup, { state }] = await Promise.all([
      this.#actionInfo(action),
      this.#backups.task('restores', restore),
    ])
    await (victim === 'agent' ? this.#agent : this.#server).program.stop('SIGKILL')
    if (backup.ended === null) this.hits.backups++
    if (state === 'RUNNING') this.hits.restores++
  }

  async #revive(victim: 'agent' | 'server'): Promise<void> {
    if (victim === 'agent') {
      this.#agent = await Agent.start(this.#server, this.folder)
      return
    }
    this.#server = await this.#server.again()
    this.#backups = await Backups.connect(this.#server)
    await this.#backups.untilOnline()
  }

  /** Every listed revision was made by a backup, and none is listed that was deleted. */
  async #compareList(deleted: number | undefined): Promise<void> {
    const listed = new Set(await this.#listed())
    assert.ok(deleted === undefined || !listed.has(deleted), `${deleted} is deleted`)
    for (const revision of listed) this.#copyOf(revision)
    for (const [revision, copy] of this.#copies) {
      if (listed.has(revision)) continue
      rmSync(copy)
      this.#copies.delete(revision)
    }
    assert.ok(listed.size > 0)
  }

  async #listed(): Promise<number[]> {
    const reply = await this.#backups.call('GET', '/revisions')
    return ((await reply.json()) as { Id: number }[]).map(({ Id }) => Id)
  }

  #copyOf(revision: number): string {
    const copy = this.#copies.get(revision)
    assert.ok(copy, `nobody has made revision ${revision}`)
    return copy
  }

  #ended(action: string): Promise<ActionInfo> {
    return eventually(`the end of action ${action}`, async () => {
      const info = await this.#actionInfo(action)
      return info.ended === null ? undefined : info
    })
  }

  async #actionInfo(action: string): Promise<ActionInfo> {
    const reply = await this.#backups.call('GET', `/backupsets/${action}/info`)
    return ((await reply.json()) as { data: ActionInfo }).data
  }
}

interface ActionInfo {
  readonly state: string
  readonly reason: string
  readonly ended: string | null
  readonly backups: readonly string[]
}

function imageIn(folder: string): string {
  return join(folder, 'volume.img')
}

async function idIn(reply: Response): Promise<string> {
  assert.ok(reply.ok, `${reply.status}`)
  return ((await reply.json()) as { data: { id: string } }).data.id
}

function anyOf<Item>(items: readonly Item[]): Item {
  const item = items[randomInt(items.length)]
  assert.ok(item !== undefined)
  return item
}

/** The packs of a vault from which a collection may take some away meanwhile. */
function packsOf(folder: string): { size: number }[] {
  const vault = join(folder, 'data', 'vault')
  return readdirSync(vault, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.includes('/packs/'))
    .flatMap((name) => statSync(join(vault, name), { throwIfNoEntry: false }) ?? [])
    .filter((entry) => entry.isFile())
}

/** How much different data some volumes hold, in chunks of a mebibyte; zeros do not count. */
function distinctBytes(volumes: readonly string[]): number {
  const chunks = new Set<string>()
  const zeros = Buffer.alloc(mebibyte)
  for (const volume of volumes) {
    const content = readFileSync(volume)
    for (let at = 0; at < content.length; at += mebibyte) {
      const chunk = content.subarray(at, at + mebibyte)
      if (!chunk.equals(zeros)) chunks.add(createHash('sha256').update(chunk).digest('hex'))
    }
  }
  return chunks.size * mebibyte
}

test(`nothing is lost, half done or left over after ${kills} kills of agent and server`, {
  skip: notInstalled('/usr/bin/qemu-img'),
}, async (t) => {
  const installation = await Installation.start()
  let ran = 0
  for (; ran < kills; ran++) {
    const plan = plans[ran % plans.length]
    assert.ok(plan)
    await installation.round(plan)
  }
  await installation.assertAllThere()
  await installation.assertVaultSound()
  await installation.assertNothingLeaked()
  await installation.stop()
  assert.equal(ran, kills)
  t.diagnostic(`${kills} kills, of which fell into ${JSON.stringify(installation.hits)}`)
})
