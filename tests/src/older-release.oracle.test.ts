import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { openStore } from '@palisade/platform'
import { type PostgresServer, startPostgres } from '@palisade/platform/testing'
import {
  account,
  ada,
  archive,
  databases,
  type Running,
  service,
  type Traces,
  whileRunning,
} from './older-release/installation.ts'
import { Backups } from './support/backup/backups.ts'
import { range, tool } from './support/backup/images.ts'
import { Management } from './support/firewall/proxy.ts'
import { Administration } from './support/programs/administration.ts'
import { notInstalled } from './support/programs/not-installed.ts'
import { palisade } from './support/programs/program.ts'
import { cleanUp, newFolder } from './support/programs/server.ts'

const sizeBytes = 2 ** 20

describe('what an older release has left', {
  skip: notInstalled('/usr/bin/qemu-img', '/usr/lib/postgresql'),
  timeout: 400_000,
}, () => {
  const folder = newFolder()
  let postgres: PostgresServer
  let traces: Traces
  before(async () => {
    execFileSync('tar', ['--extract', '--gzip', '--preserve-permissions', '--file', archive, '-C', folder])
    traces = JSON.parse(readFileSync(join(folder, 'traces.json'), 'utf8'))
    const started = await startPostgres()
    assert.ok(started, 'PostgreSQL is not installed')
    postgres = started
  })
  after(async () => {
    await cleanUp()
    await postgres?.stop()
  })

  for (const name of databases) {
    test(`is all there after the upgrade, on ${name}`, async () => {
      const place = join(folder, name)
      const url = name === 'postgresql' ? await postgres.newDatabase() : undefined
      if (url) execFileSync('psql', ['-q', '-v', 'ON_ERROR_STOP=1', '-f', join(place, 'database.sql'), url])
      await makeTokensLast(url ?? 'embedded', join(place, 'data'))
      const use = (running: Running) => findAll(running, place, traces[name])
      await whileRunning(place, [process.execPath, palisade], url, use)
      // Migrated once, it starts again.
      await whileRunning(place, [process.execPath, palisade], url, use)
    })
  }
})

/** A token lives for a year at most, and this test longer. */
async function makeTokensLast(database: string, dataDirectory: string): Promise<void> {
  const store = openStore(database, dataDirectory)
  await store
    .tables<{ admin_token: { expires_at: number } }>()
    .updateTable('admin_token')
    .set({ expires_at: Date.now() + 86_400_000 })
    .execute()
  await store.close()
}

async function findAll(
  running: Running,
  place: string,
  { revision, token }: Traces['sqlite'],
): Promise<void> {
  const management = await Management.connect(running)
  const { data } = (await management.call('GET', `services/${service.name}`)) as {
    data: Record<string, Record<string, unknown>>
  }
  assert.equal(data[service.name]?.port, String(service.port))
  const security = await management.call('GET', `services/${service.name}/basic-security`)
  assert.match(JSON.stringify(security), /"mode":"Active"/)

  const owner = await Administration.connect(running)
  assert.equal((await owner.call('GET', `/backup/accounts/${account}`)).status, 200)
  const asAda = { authorization: `Bearer ${token}` }
  const byToken = await fetch(`${running.services}/admin/v1/backup/accounts/${account}`, { headers: asAda })
  assert.equal(byToken.status, 200, await byToken.text())
  const session = await fetch(`${running.services}/admin/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(ada),
  })
  assert.equal(session.status, 201, await session.text())
  const audit = Object(await (await owner.call('GET', '/audit?action=createOperator')).json())
  assert.ok(audit.items.length > 0, 'what was done before is in the audit log')

  const backups = await Backups.connect(running)
  await backups.untilOnline()
  const listed = Object(await (await backups.call('GET', `/revisions/${revision}`)).json())
  assert.deepEqual([listed.Id, listed.Pinned], [revision, false])
  const restored = await backups.restore(revision, join(place, `restored-${Date.now()}`))
  const compared = tool(
    'qemu-img',
    ...['compare', range('raw', join(place, 'disk.raw'), 0, sizeBytes)],
    range('vhdx', restored, 2 ** 20, sizeBytes),
  )
  assert.match(compared, /Images are identical/)
  assert.ok((await backups.backUp(join(place, 'disk.raw'))) > revision)
}
