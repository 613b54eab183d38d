import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import type { Store } from '@palisade/platform'
import { memoryDirectory, onEveryStore, type ServedService, settableClock } from '@palisade/platform/testing'
import type { FirewallTables } from '../../tables.ts'
import { type Client, logIn } from '../../testing/client.ts'
import { serveFirewall } from '../../testing/firewall.ts'
import { BackupRows } from './backup-rows.ts'

interface Server {
  readonly client: Client
  /** Of its data directory. */
  readonly folder: string
}

onEveryStore('backups of servers on one database', (newStore) => {
  let store: Store
  const clock = settableClock()
  const directories: string[] = []
  const running: ServedService[] = []
  beforeEach(async () => {
    store = await newStore()
  })
  afterEach(async () => {
    for (const served of running.splice(0)) await served.close()
    for (const directory of directories.splice(0)) rmSync(directory, { recursive: true })
  })

  /** One more, with a data directory of its own. */
  async function newServer(): Promise<Server> {
    const dataDirectory = memoryDirectory('palisade-backups-')
    directories.push(dataDirectory)
    const served = await serveFirewall({ store, dataDirectory, clock })
    running.push(served)
    return { client: await logIn(served.baseUrl), folder: join(dataDirectory, 'firewall-backups') }
  }

  async function backUp({ client }: Server): Promise<string> {
    const { status, json, text } = await client.call('PUT', 'backup/manual-backup', { destination: 'Local' })
    assert.equal(status, 200, text)
    return json.filename
  }

  const restore = ({ client }: Server, filename: string) =>
    client.call('POST', 'backup/restore-backup', { source: 'Local', filename })

  const list = async ({ client }: Server) => (await client.get('backup/get-remote-backup')).json.data ?? {}

  const rows = () =>
    store
      .tables<FirewallTables>()
      .selectFrom('firewall_backup')
      .select(['filename', 'part', 'size', 'content'])
      .execute()

  test('are listed and restored by each where they share a PostgreSQL, also when the data of the one that made them is gone', async (t) => {
    if (store.kind === 'sqlite') return t.skip('SQLite belongs to one server')
    const [one, other] = [await newServer(), await newServer()]
    await one.client.call('POST', 'services', { name: 'shop', 'ip-address': '192.0.2.1', port: 80 })
    const first = await backUp(one)
    clock.advance(1000)
    const second = await backUp(other)
    clock.advance(1000)
    const third = await backUp(one)
    assert.deepEqual(Object.keys(await list(other)), [third, second, first])
    assert.deepEqual(Object.keys(await list(one)), [third, second, first])
    const shown = (await list(other))[first]
    assert.deepEqual(Object.keys(shown), ['filename', 'size', 'date', 'source'])
    const bytes = readFileSync(join(one.folder, first))
    assert.deepEqual([shown.size, shown.source], [String(bytes.length), 'Local'])
    assert.equal(shown.date, new Date(clock.now() - 2000).toISOString())

    rmSync(one.folder, { recursive: true })
    await other.client.call('DELETE', 'services/shop')
    const restored = await restore(other, first)
    assert.equal(restored.status, 200, restored.text)
    assert.equal((await other.client.get('services/shop')).status, 200)
    assert.equal((await restore(one, first)).json.msg, 'Nothing had to be changed.')
    assert.deepEqual(readdirSync(other.folder), [second])
  })

  test('are as sealed in the database as in the file', async (t) => {
    if (store.kind === 'sqlite') return t.skip('SQLite has none in the database')
    const server = await newServer()
    const filename = await backUp(server)
    const [row, ...more] = await rows()
    assert.equal(more.length, 0)
    assert.deepEqual(Buffer.from(row?.content ?? '', 'base64'), readFileSync(join(server.folder, filename)))
  })

  test('lie in the folder alone with SQLite', async (t) => {
    if (store.kind === 'postgres') return t.skip('with PostgreSQL they do not')
    const server = await newServer()
    const filename = await backUp(server)
    assert.deepEqual(readdirSync(server.folder), [filename])
    assert.deepEqual(await rows(), [])
    const { status, json } = await restore(server, 'configuration-none.backup')
    assert.deepEqual(
      [status, json.msg],
      [404, 'There is no backup "configuration-none.backup" on this machine.'],
    )
  })

  test('are removed by the same count here and in the database, and a file that was put here counts', async () => {
    const server = await newServer()
    const old = await backUp(server)
    const copied = 'configuration-20200101T000000000Z-v1.backup'
    copyFileSync(join(server.folder, old), join(server.folder, copied))
    assert.deepEqual(Object.keys(await list(server)), [old, copied])
    assert.equal((await restore(server, copied)).status, 200)
    await server.client.call('PUT', 'backup', { 'backups-to-keep': 2 })
    clock.advance(1000)
    // On PostgreSQL the newer ones come from both servers.
    const other = store.kind === 'postgres' ? await newServer() : server
    const second = await backUp(other)
    clock.advance(1000)
    const third = await backUp(server)
    assert.deepEqual(Object.keys(await list(server)), [third, second])
    assert.deepEqual(Object.keys(await list(other)), [third, second])
    assert.deepEqual(readdirSync(server.folder).sort(), other === server ? [second, third] : [third])
    assert.deepEqual(
      (await rows()).map(({ filename }) => filename).sort(),
      store.kind === 'postgres' ? [second, third] : [],
    )
    const { status, json } = await restore(other, old)
    const place = store.kind === 'postgres' ? 'on this machine or in the database' : 'on this machine'
    assert.deepEqual([status, json.msg], [404, `There is no backup "${old}" ${place}.`])
  })

  test('of one moment get different names, and none takes the place of another', async () => {
    const servers = store.kind === 'postgres' ? [await newServer(), await newServer()] : [await newServer()]
    const names = await Promise.all([...servers, ...servers, ...servers].map(backUp))
    assert.equal(new Set(names).size, 3 * servers.length)
    for (const server of servers) {
      assert.deepEqual(Object.keys(await list(server)).sort(), names.toSorted())
      for (const name of readdirSync(server.folder)) assert.ok(names.includes(name), name)
    }
    const files = servers.flatMap(({ folder }) => readdirSync(folder))
    assert.deepEqual(files.sort(), names.toSorted())
  })

  test('do not take the place of a file that is there', async () => {
    const server = await newServer()
    const filename = await backUp(server)
    rmSync(server.folder, { recursive: true })
    mkdirSync(server.folder, { mode: 0o700 })
    writeFileSync(join(server.folder, filename), 'somebody else wrote this')
    const next = await backUp(server)
    assert.notEqual(next, filename)
    assert.equal(readFileSync(join(server.folder, filename), 'utf8'), 'somebody else wrote this')
    assert.ok(existsSync(join(server.folder, next)))
  })

  test('come back from the database whole when they have many parts, and not at all when one is missing', async () => {
    await newServer()
    const backups = new BackupRows(store)
    const [one, other] = [randomBytes(3_000_001), randomBytes(768 * 1024)]
    assert.equal(await backups.insert({ filename: 'one', writtenAt: 1 }, one), true)
    assert.equal(await backups.insert({ filename: 'other', writtenAt: 2 }, other), true)
    assert.equal(await backups.insert({ filename: 'one', writtenAt: 3 }, other), false)
    assert.deepEqual(await backups.read('one'), one)
    assert.deepEqual(await backups.read('other'), other)
    assert.equal(await backups.read('none'), undefined)
    const expected = [
      { filename: 'one', sizeBytes: one.length, writtenAt: 1 },
      { filename: 'other', sizeBytes: other.length, writtenAt: 2 },
    ]
    const listed = (await backups.list()).map((backup) => ({ ...backup }))
    assert.deepEqual(
      listed.sort((a, b) => a.writtenAt - b.writtenAt),
      expected,
    )
    await store.tables<FirewallTables>().deleteFrom('firewall_backup').where('part', '=', 2).execute()
    assert.equal(await backups.read('one'), undefined)
    await backups.remove('one')
    assert.deepEqual(
      (await rows()).map(({ filename }) => filename),
      ['other'],
    )
  })
})
