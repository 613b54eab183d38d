import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent } from '../programs/agent.ts'
import { eventually } from '../programs/calls.ts'
import { Program } from '../programs/program.ts'
import { newFolder, provisionedWithUpkeep, Server } from '../programs/server.ts'
import { Backups } from './backups.ts'
import { ChangingImage, type Writes } from './changing-image.ts'
import { assertHolds, finishedDisks } from './images.ts'
import { collectorOf, packsOf, patchedRevisionsOf } from './vault-space.ts'

const chunkSizeBytes = 512 * 1024
const pieceSizeBytes = chunkSizeBytes / 128
const revisionsKept = 3
/** A server that was killed while it collected counts as collecting for another minute. */
const collectionMs = 90_000

/** Who is killed, and so long at most after what: the beginning of a backup and a restore, or the backup's commit or end. */
export interface KillPlan {
  readonly victim: 'agent' | 'server'
  readonly since: 'beginning' | 'commit' | 'backup'
  readonly afterMsMax: number
}

/** What an installation backs up, and how. */
export interface Backing {
  /** Where its image is made. */
  readonly path: string
  readonly writes: readonly Writes[]
  /** For `palisade agent`. */
  readonly flags: readonly string[]
}

/** An agent and a server of which one is killed again and again, with what they must be able to give back. */
export class KilledInstallation {
  readonly #folder: string
  readonly #image: ChangingImage
  readonly #flags: readonly string[]
  /** Into what the kills fell, and how often. */
  readonly #hits = new Map<string, number>()
  /** The revisions that were listed with patched chunks. */
  readonly #patched = new Set<string>()
  /** The server processes that were killed while they collected. */
  readonly #collectors = new Set<string>()
  #server: Server
  #agent: Agent
  #backups: Backups
  readonly #setId: string

  private constructor(
    server: Server,
    image: ChangingImage,
    agent: Agent,
    flags: readonly string[],
    backups: Backups,
    setId: string,
  ) {
    this.#folder = server.folder
    this.#server = server
    this.#image = image
    this.#agent = agent
    this.#flags = flags
    this.#backups = backups
    this.#setId = setId
  }

  /** Starts a server and an agent, makes the image, and backs it up once. */
  static async start({ path, writes, flags }: Backing): Promise<KilledInstallation> {
    // Kills are to fall into collections, too.
    const server = await Server.start(newFolder(), provisionedWithUpkeep)
    const image = new ChangingImage(path, server.folder, writes)
    const agent = await Agent.start(server, server.folder, flags)
    const backups = await Backups.connect(server)
    const reply = await backups.call('POST', '/backupsets', {
      name: 'all',
      type: 'Disk_Image',
      selection: [{ path }],
      schedule: [{ type: 'manual' }],
      settings: { retention: { keepLast: revisionsKept } },
    })
    const setId = await idIn(reply)
    const installation = new KilledInstallation(server, image, agent, flags, backups, setId)
    await installation.#backedUp(await installation.#startBackup())
    return installation
  }

  /** Into what the kills fell, and how often: who was killed, what was unfinished, and in which step. */
  get hits(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#hits].sort())
  }

  /** How many revisions had patched chunks. */
  get patchedCount(): number {
    return this.#patched.size
  }

  /** Lets a backup, a restore and a collection begin, kills somebody in the middle of it, and sees to it that all end well. */
  async round({ victim, since, afterMsMax }: KillPlan): Promise<void> {
    this.#image.change()
    const logged = this.#agent.program.output.length
    const action = await this.#startBackup()
    const revision = this.#image.anyRevision()
    const target = join(this.#folder, 'restored')
    const restore = await this.#backups.startRestore([revision], target)
    if (since === 'commit') await this.#committing(logged)
    if (since === 'backup') await this.#backedUp(action)
    await sleep(randomInt(afterMsMax))
    const deletion = since === 'backup' ? this.#deleteAny() : undefined
    await sleep(deletion === undefined ? 0 : randomInt(20))
    await this.#kill(victim, action, restore)
    for (const file of finishedDisks(target)) assertHolds(file, this.#image.copyOf(revision))
    await this.#revive(victim)
    await this.#backedUp(action)
    await this.#restored(restore, revision, target)
    await this.#compareList(await deletion)
    await this.#assertOneCopyKept()
  }

  /** Every listed revision comes back, and is intact as the server sees it. */
  async assertAllThere(): Promise<void> {
    const target = join(this.#folder, 'last')
    for (const revision of await this.#listed()) {
      assertHolds(await this.#backups.restore(revision, target), this.#image.copyOf(revision))
      const verification = await this.#backups.call('POST', `/revisions/${revision}/verify`, {})
      assert.equal((await this.#backups.actionEnded(verification)).state, 'SUCCESS')
    }
  }

  /** The operator's own check of the vault, every byte of it, finds nothing. */
  async assertVaultSound(): Promise<void> {
    await this.#server.program.stop()
    const configuration = join(this.#folder, 'palisade.json')
    const check = new Program(['vault', 'check', '--read-data', '--config', configuration])
    assert.equal((await check.ended()).status, 0, check.output)
    await this.#revive('server')
  }

  /** What the vault holds is what the revisions need, but for what a collection leaves for its next time. */
  async assertNothingLeaked(): Promise<void> {
    const neededMin = this.#image.distinctBytes(pieceSizeBytes)
    // A chunk is stored as it is, or as another one and a patch of at most half of it.
    const neededMax = this.#image.distinctBytes(chunkSizeBytes) * (this.patchedCount > 0 ? 1.5 : 1)
    await eventually(
      'the collection',
      async () => {
        const { sizeBytes } = packsOf(this.#folder)
        assert.ok(sizeBytes >= neededMin, `${sizeBytes} bytes are stored and ${neededMin} needed`)
        // A pack is left as it is when more than half of it is needed.
        return sizeBytes <= 2 * neededMax ? true : undefined
      },
      collectionMs,
    )
    for (const revision of await this.#listed()) {
      assert.equal((await this.#backups.call('DELETE', `/revisions/${revision}`)).status, 204)
    }
    await eventually(
      'the last collection',
      async () => (packsOf(this.#folder).count === 0 ? true : undefined),
      collectionMs,
    )
    assert.deepEqual(this.#stateOf('journal'), [])
    assert.deepEqual(this.#stateOf('snapshots'), [])
  }

  /** Ends both programs, and has the agent remove the copies that it has kept: nothing is left beside the image. */
  async stop(): Promise<void> {
    await this.#agent.program.stop()
    await this.#server.program.stop()
    const state = join(this.#folder, 'agent-state')
    const removal = new Program(['agent', '--remove-copies', '--state', state])
    assert.equal((await removal.ended()).status, 0, removal.output)
    assert.deepEqual(this.#stateOf('kept'), [])
    assert.deepEqual(this.#besideImage(), [])
  }

  async #startBackup(): Promise<string> {
    return idIn(await this.#backups.call('POST', '/backupsets/run', { backupSetId: this.#setId }))
  }

  /** Waits until the agent is about to commit a backup, which it began when it had logged so many characters. */
  #committing(logged: number): Promise<true> {
    return eventually('the commit', async () => {
      const step = this.#agent.backupStep(logged)
      return step === 'commit' || step === 'ended' ? true : undefined
    })
  }

  /** Waits for the end of a backup, and keeps what it was made of. */
  async #backedUp(action: string): Promise<void> {
    const { state, reason, backups } = await this.#backups.endOfAction(action)
    assert.equal(state, 'SUCCESS', reason)
    for (const id of backups) {
      const { revisionId } = await this.#backups.task('backups', id)
      assert.ok(revisionId)
      this.#image.wasBackedUp(revisionId)
    }
  }

  async #restored(id: string, revision: number, target: string): Promise<void> {
    const ended = await this.#backups.ended('restores', id)
    assert.equal(ended.state, 'SUCCESS', JSON.stringify(ended))
    const [file = '', ...more] = finishedDisks(target)
    assert.deepEqual([ended.files, more], [[file], []], 'one disk, written once')
    assertHolds(file, this.#image.copyOf(revision))
    await eventually('the removal of the partial file', async () =>
      readdirSync(target).length === 1 ? true : undefined,
    )
    rmSync(target, { recursive: true })
  }

  /** Deletes a revision, or is killed over it. @returns which one, when the server said that it is done */
  async #deleteAny(): Promise<number | undefined> {
    const revision = this.#image.anyRevision()
    try {
      const { status } = await this.#backups.call('DELETE', `/revisions/${revision}`)
      return status === 204 ? revision : undefined
    } catch {
      // Nobody knows whether it happened: either is right.
      this.#count('server: deletion')
      return undefined
    }
  }

  async #kill(victim: KillPlan['victim'], action: string, restore: string): Promise<void> {
    const [backup, { state }] = await Promise.all([
      this.#backups.action(action),
      this.#backups.task('restores', restore),
    ])
    const step = this.#agent.backupStep()
    await (victim === 'agent' ? this.#agent : this.#server).program.stop('SIGKILL')
    if (backup.ended === null) this.#count(`${victim}: backup, ${step}`)
    if (state === 'RUNNING') this.#count(`${victim}: restore`)
    if (victim === 'agent') return
    const collector = collectorOf(this.#folder)
    if (collector === undefined || this.#collectors.has(collector)) return
    this.#collectors.add(collector)
    this.#count('server: collection')
  }

  #count(what: string): void {
    this.#hits.set(what, (this.#hits.get(what) ?? 0) + 1)
  }

  async #revive(victim: 'agent' | 'server'): Promise<void> {
    if (victim === 'agent') {
      this.#agent = await Agent.start(this.#server, this.#folder, this.#flags)
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
    for (const revision of listed) this.#image.copyOf(revision)
    this.#image.forgetAllBut(listed)
    assert.ok(listed.size > 0)
    for (const revision of patchedRevisionsOf(this.#folder)) this.#patched.add(revision)
  }

  /** Beside the image lies at most the copy that the next backup goes on from, and the agent knows of no other. */
  #assertOneCopyKept(): Promise<true> {
    return eventually('the removal of all copies but one', async () => {
      const [copies, records] = [this.#besideImage(), this.#stateOf('kept').filter(isRecordName)]
      const isTidy = copies.length === records.length && copies.length <= 1
      return isTidy && this.#stateOf('snapshots').length === 0 ? true : undefined
    })
  }

  /** The copies in the agent's folder beside the image. */
  #besideImage(): string[] {
    const folder = join(dirname(this.#image.path), '.palisade-agent')
    return existsSync(folder) ? readdirSync(folder) : []
  }

  #stateOf(kind: 'journal' | 'kept' | 'snapshots'): string[] {
    return readdirSync(join(this.#folder, 'agent-state', kind))
  }

  async #listed(): Promise<number[]> {
    const reply = await this.#backups.call('GET', '/revisions')
    return ((await reply.json()) as { Id: number }[]).map(({ Id }) => Id)
  }
}

function isRecordName(name: string): boolean {
  return name.endsWith('.json')
}

async function idIn(reply: Response): Promise<string> {
  assert.ok(reply.ok, `${reply.status}`)
  return ((await reply.json()) as { data: { id: string } }).data.id
}
