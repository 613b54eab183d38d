import assert from 'node:assert/strict'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createLog, keyFile } from '@palisade/platform'
import { startModule, startPostgres } from '@palisade/platform/testing'
import { loadConfiguration } from '../configuration/load.ts'
import type { Configuration } from '../configuration/schema.ts'
import { type RunningServer, serve } from '../serve.ts'

/** A server in a process of its own, which says so when it is ready and lives until it is killed. */
const serving = `
  import { createLog } from '${import.meta.resolve('@palisade/platform')}'
  import { serve } from '${new URL('../serve.ts', import.meta.url)}'
  const log = createLog('silent')
  await serve(JSON.parse(process.argv[1]), { log, provisionCredentials: false, show: () => undefined })
  process.stdout.write('ready')`

/** The configurations of servers on one new PostgreSQL, each with a data directory of its own, into which `secret.key` is copied. */
async function serversOnPostgres(t: TestContext): Promise<(name: string, serves?: boolean) => Configuration> {
  const postgres = await startPostgres()
  assert.ok(postgres, 'PostgreSQL is not installed: apt-get install postgresql')
  const home = mkdtempSync(join(tmpdir(), 'palisade-claim-'))
  t.after(async () => {
    await postgres.stop()
    rmSync(home, { recursive: true })
  })
  const database = await postgres.newDatabase()
  const key = join(home, 'secret.key')
  keyFile(key)
  for (const name of ['first', 'second']) {
    mkdirSync(join(home, name), { mode: 0o700 })
    copyFileSync(key, join(home, name, 'secret.key'))
  }
  return (name, serves = true) => {
    const configuration = loadConfiguration({
      environment: {},
      flags: {
        'firewall-listen-http': '0',
        'firewall-listen-https': '0',
        'services-listen-http': '0',
        'services-listen-https': '0',
        'data-directory': join(home, name),
      },
    })
    return {
      ...configuration,
      database,
      backup: { ...configuration.backup, serve: serves },
      firewall: { ...configuration.firewall, runProxy: false },
    }
  }
}

function start(configuration: Configuration, otherServerWaitMs: number): Promise<RunningServer> {
  const log = createLog('silent')
  return serve(configuration, { log, provisionCredentials: false, show: () => undefined, otherServerWaitMs })
}

test('of the servers on one PostgreSQL one serves backups, and the next one is told the option', async (t) => {
  const server = await serversOnPostgres(t)
  const first = await start(server('first'), 0)
  await assert.rejects(start(server('second'), 0), {
    message:
      'another Palisade server on this database serves its backups, and only one of them may: stop the other one, ' +
      'or say backup.serve: false in the configuration of one of them',
  })
  const beside = await start(server('second', false), 0)
  await beside.close()
  await first.close()
  const successor = await start(server('second'), 0)
  await successor.close()
})

test('a server that was killed keeps neither itself nor another one from serving the backups', async (t) => {
  const server = await serversOnPostgres(t)
  for (const name of ['first', 'second']) {
    const child = startModule(serving, server('first'))
    assert.ok(child.stdout)
    await once(child.stdout, 'data')
    child.kill('SIGKILL')
    await once(child, 'exit')
    const next = await start(server(name), 60_000)
    await next.close()
  }
})
