import assert from 'node:assert/strict'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Store } from '@palisade/platform'
import type { BackupTables } from '../tables.ts'
import { AdministeredService } from './administered-service.ts'
import { eventually } from './eventually.ts'
import { FakeAgent, someContent } from './fake-agent.ts'

/** Looks often for what is due. */
export const quick = { lookEveryMs: 20 }

/** Computers of the first account that operators add while the service runs, each with an agent. */
export class RunTimeComputers {
  readonly path = '/backup/accounts/acme/computers'
  readonly admin: AdministeredService
  #contents = 0

  private constructor(admin: AdministeredService) {
    this.admin = admin
  }

  static async start(store: Store): Promise<RunTimeComputers> {
    return new RunTimeComputers(await AdministeredService.start(store, quick))
  }

  close(): Promise<void> {
    return this.admin.close()
  }

  get baseUrl(): string {
    return this.admin.service.served.baseUrl
  }

  get now(): number {
    return this.admin.service.clock.now()
  }

  get #tables() {
    return this.admin.service.store.tables<BackupTables>()
  }

  /** Calls the public API about a computer. */
  publicly(method: string, id: string, rest = '', body?: unknown) {
    return this.admin.service.call(method, `/v2/accounts/acme/computers/${id}${rest}`, body)
  }

  /** Adds a computer. @returns its agent, connected */
  async add(id: string, more: Partial<FakeAgent> = {}): Promise<FakeAgent> {
    const { status, text, json } = await this.admin.call('POST', this.path, { id, name: `computer ${id}` })
    assert.equal(status, 201, text)
    const { enrolmentKey } = json
    const agent = await FakeAgent.enrol(this.baseUrl, { computer: id, enrolmentKey })
    return Object.assign(agent, more).connect()
  }

  async startBackup(id: string, agent: FakeAgent): Promise<string> {
    const { json, text } = await this.publicly('POST', id, '/backups', { source: { path: '/dev/sdb' } })
    assert.ok(json.data, text)
    await agent.heard('start-backup', (message) => message.id === json.data.id)
    return json.data.id
  }

  /** Backs up once. @returns the revision */
  async backUp(id: string, agent: FakeAgent, content = this.newContent()): Promise<number> {
    return agent.backUp(await this.startBackup(id, agent), content)
  }

  /** The content of a volume that no backup had before. */
  newContent(): Buffer {
    return someContent(++this.#contents)
  }

  startRestore(id: string, revision: number) {
    return this.publicly('POST', id, '/restore/diskimage/standard/vhd', {
      destination: { path: '/x' },
      diskFormat: 'Vhdx',
      revisions: [revision],
    })
  }

  /** Restores a revision, and compares what comes back. */
  async restore(id: string, agent: FakeAgent, revision: number, content: Buffer): Promise<void> {
    const reply = await this.startRestore(id, revision)
    assert.equal(reply.status, 204, reply.text)
    const message = await agent.heard('start-restore')
    await agent.download(message.id, revision, content)
    await agent.finish('restore', message.id, { state: 'SUCCESS', files: [] })
  }

  async delete(id: string): Promise<void> {
    const reply = await this.admin.computer('DELETE', '', id)
    assert.equal(reply.status, 204, reply.text)
  }

  undelete(id: string) {
    return this.admin.computer('POST', '/undelete', id)
  }

  /** What all packs of the vault hold. */
  packBytes(): number {
    const vault = join(this.admin.service.dataDirectory, 'vault')
    return readdirSync(vault, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.includes('pack'))
      .flatMap((name) => statSync(join(vault, name), { throwIfNoEntry: false }) ?? [])
      .filter((stat) => stat.isFile())
      .reduce((sum, { size }) => sum + size, 0)
  }

  /** How many rows there are of a computer: itself, its revisions, tasks, sets and actions. */
  async rowsOf(id: string): Promise<number[]> {
    const computer = await this.#tables
      .selectFrom('backup_computer')
      .select('id')
      .where('id', '=', id)
      .execute()
    const tables = ['backup_revision', 'backup_task', 'backup_set', 'backup_action'] as const
    const others = await Promise.all(
      tables.map((table) =>
        this.#tables.selectFrom(table).select('id').where('computer_id', '=', id).execute(),
      ),
    )
    return [computer, ...others].map(({ length }) => length)
  }

  /** Waits until it was looked, after this moment, for what can be taken back no more. */
  async looked(): Promise<void> {
    await eventually(async () => {
      const timer = await this.#tables
        .selectFrom('backup_timer')
        .select('due_at')
        .where('kind', '=', 'purge')
        .executeTakeFirstOrThrow()
      assert.ok(timer.due_at > this.now)
    })
  }

  /** Leaves a computer as a crash does in the middle of its removal. */
  async interruptPurge(id: string): Promise<void> {
    await this.#tables.updateTable('backup_computer').set({ purging: 1 }).where('id', '=', id).execute()
    await this.#tables
      .updateTable('backup_revision')
      .set({ deleted_at: this.now })
      .where('computer_id', '=', id)
      .execute()
  }

  /** Has the database be older than the vault: it does not know a revision. */
  async forgetRevision(revision: number): Promise<void> {
    await this.#tables.deleteFrom('backup_revision').where('id', '=', revision).execute()
  }

  /** Takes a computer, and all that is of it, out of the database, as if that were older. */
  async forgetComputer(id: string): Promise<void> {
    const tables = ['backup_revision', 'backup_task', 'backup_set', 'backup_action'] as const
    for (const table of tables) await this.#tables.deleteFrom(table).where('computer_id', '=', id).execute()
    await this.#tables.deleteFrom('backup_computer').where('id', '=', id).execute()
  }

  /** The actions of a computer: what is in the store of each. */
  actionsOf(id: string) {
    return this.#tables
      .selectFrom('backup_action')
      .select(['id', 'state', 'reason'])
      .where('computer_id', '=', id)
      .execute()
  }
}
