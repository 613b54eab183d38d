import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '@palisade/platform/testing'
import { Backups } from '../support/backup/backups.ts'
import { Management } from '../support/firewall/proxy.ts'
import { Administration } from '../support/programs/administration.ts'
import { root } from '../support/repository/root.ts'
import {
  account,
  ada,
  archive,
  databases,
  type Running,
  service,
  type Traces,
  whileRunning,
} from './installation.ts'

/*
 * Makes older-release.tar.gz anew, of a release whose package it makes and installs:
 *
 *     node_modules/.bin/node --conditions=source tests/src/older-release/make.ts COMMIT
 *
 * Needs the registry of npm, PostgreSQL and tar.
 */

const [commit = ''] = process.argv.slice(2)
const stage = mkdtempSync(join(tmpdir(), 'older-release-'))
const run = (program: string, args: readonly string[], cwd = stage) =>
  execFileSync(program, args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 30 }).trim()

const postgres = await startPostgres()
assert.ok(postgres, 'PostgreSQL is not installed')
try {
  const command = installed()
  const content = join(stage, 'content')
  const traces: Record<string, unknown> = {}
  for (const name of databases) {
    const folder = join(content, name)
    mkdirSync(folder, { recursive: true })
    const database = name === 'postgresql' ? await postgres.newDatabase() : undefined
    // The half is equal from one chunk to the next, as on disks.
    writeFileSync(
      join(folder, 'disk.raw'),
      Buffer.concat([randomBytes(65_536), Buffer.alloc(2 ** 20 - 65_536, 'Palisade')]),
    )
    traces[name] = await whileRunning(folder, command, database, (running) => leaveTraces(running, folder))
    if (database !== undefined) {
      run('pg_dump', ['--no-owner', '--no-privileges', '--file', join(folder, 'database.sql'), database])
    }
    for (const file of ['palisade.json', 'enrolment.key']) rmSync(join(folder, file))
  }
  writeFileSync(join(content, 'traces.json'), JSON.stringify(traces satisfies Partial<Traces>))
  run('tar', ['--create', '--gzip', '--owner=0', '--group=0', '--file', archive, '-C', content, '.'])
} finally {
  await postgres.stop()
  rmSync(stage, { recursive: true })
}

/** Installs the package of the release. @returns what starts its `palisade` */
function installed(): [string] {
  const source = join(stage, 'source')
  const prefix = join(stage, 'prefix')
  mkdirSync(source)
  run('git', ['archive', '--output', join(stage, 'source.tar'), commit], root)
  run('tar', ['--extract', '--file', 'source.tar', '-C', source])
  const [packageFile = ''] = run('node', ['scripts/pack.mjs', stage], source).split('\n').slice(-1)
  run('npm', ['install', '--global', '--prefix', prefix, '--no-audit', packageFile])
  return [join(prefix, 'bin', 'palisade')]
}

/** Makes what the test looks for. */
async function leaveTraces(running: Running, folder: string): Promise<Traces['sqlite']> {
  const management = await Management.connect(running)
  await management.call('POST', 'services', service)
  await management.call('PUT', `services/${service.name}/basic-security`, { mode: 'Active' })

  const administration = await Administration.connect(running)
  const made = async (path: string, body: object) => {
    const reply = await administration.call('POST', path, body)
    const text = await reply.text()
    assert.equal(reply.status, 201, text)
    return JSON.parse(text)
  }
  await made('/operators', { ...ada, grants: [{ role: 'operator' }] })
  await made('/backup/accounts', { id: account })
  const { token } = await made(`/operators/${ada.username}/tokens`, {
    name: 'laptop',
    grants: [{ role: 'operator' }],
    lifetimeDays: 1,
  })

  const backups = await Backups.connect(running)
  await backups.untilOnline()
  return { token, revision: await backups.backUp(join(folder, 'disk.raw')) }
}
