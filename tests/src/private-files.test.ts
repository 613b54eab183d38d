/** Files with secrets, and folders, that are open to others: programs do not start with them, or say so. */
import assert from 'node:assert/strict'
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { ProxyProcess } from './support/firewall/proxy.ts'
import { Agent } from './support/programs/agent.ts'
import { eventually } from './support/programs/calls.ts'
import { Program } from './support/programs/program.ts'
import { cleanUp, newFolder, provisioned, Server } from './support/programs/server.ts'

after(cleanUp)

/** A program that does not start says why in one sentence. */
async function assertRefuses(argv: readonly string[], reason: RegExp): Promise<void> {
  const program = new Program(argv)
  const { status } = await program.ended()
  assert.ok(status === 1 || status === 2, `${status}: ${program.output}`)
  assert.match(program.output, reason)
  assert.doesNotMatch(program.output, /\n\s+at /, 'no stack trace')
}

const readers = {
  'server, its data': async () => {
    const server = await Server.start()
    await server.program.stop()
    const start = ['serve', '--config', join(server.folder, 'palisade.json')]
    const data = join(server.folder, 'data')
    const keys = ['secret.key', 'vault.key', 'firewall-proxy.key', 'self-signed.pem']
    return { start, files: keys.map((name) => join(data, name)), folders: [data] }
  },
  'server, its configuration': async () => {
    const server = await Server.start()
    await server.program.stop()
    const file = join(server.folder, 'palisade.json')
    return { start: ['serve', '--config', file], files: [], folders: [server.folder], decisive: [file] }
  },
  'server, certificate of its own': async () => {
    const server = await Server.start()
    await server.program.stop()
    const pem = readFileSync(join(server.folder, 'data', 'self-signed.pem'))
    const [certificateFile, keyFile] = ['own.pem', 'own.key'].map((name) => join(server.folder, name))
    writeFileSync(certificateFile ?? '', pem, { mode: 0o644 })
    writeFileSync(keyFile ?? '', pem, { mode: 0o640 })
    const configuration = {
      ...provisioned,
      dataDirectory: join(server.folder, 'data'),
      services: { ...provisioned.services, certificate: { certificateFile, keyFile } },
    }
    const file = join(server.folder, 'own.json')
    writeFileSync(file, JSON.stringify(configuration), { mode: 0o600 })
    const started = new Program(['serve', '--config', file])
    await started.line(/"msg":"ready"/)
    await started.stop()
    return {
      start: ['serve', '--config', file],
      files: [keyFile ?? ''],
      folders: [],
      decisive: [certificateFile ?? ''],
    }
  },
  proxy: async () => {
    const server = await Server.start()
    const keyFile = join(newFolder(), 'copied.key')
    writeFileSync(keyFile, readFileSync(join(server.folder, 'data', 'firewall-proxy.key')), { mode: 0o640 })
    const proxy = await ProxyProcess.start(server, newFolder(), { keyFile })
    const snapshot = join(proxy.folder, 'snapshot.json')
    await eventually('a snapshot', async () => (existsSync(snapshot) ? true : undefined))
    await proxy.program.stop()
    await server.program.stop()
    const file = join(proxy.folder, 'proxy.json')
    return {
      start: ['proxy', '--config', file],
      files: [keyFile, snapshot],
      folders: [proxy.folder],
      decisive: [file],
    }
  },
  agent: async () => {
    const server = await Server.start()
    const folder = newFolder()
    const agent = await Agent.start(server, folder)
    await agent.program.stop()
    await server.program.stop()
    const state = join(folder, 'agent-state')
    const key = join(folder, 'enrolment-key')
    const start = [
      ...['agent', '--server', `${server.services}/backup`, '--account', 'acme', '--computer', '0001'],
      ...['--key-file', key, '--state', state],
    ]
    return { start, files: [key, join(state, 'credential.json')], folders: [state] }
  },
} satisfies Record<
  string,
  () => Promise<{ start: string[]; files: string[]; folders: string[]; decisive?: string[] }>
>

describe('what is open to others is refused:', () => {
  for (const [what, prepare] of Object.entries(readers)) {
    test(what, async () => {
      const {
        start,
        files,
        folders,
        decisive = [],
      }: Awaited<ReturnType<typeof prepare>> & { decisive?: string[] } = await prepare()
      const cases: [path: string, more: number, reason: RegExp][] = [
        ...files.map((path): [string, number, RegExp] => [
          path,
          0o004,
          /is open to others than its owner.*use chmod/,
        ]),
        ...files.map((path): [string, number, RegExp] => [
          path,
          0o022,
          /is open to others than its owner.*use chmod/,
        ]),
        ...decisive.map((path): [string, number, RegExp] => [
          path,
          0o002,
          /may be written by every user.*use chmod o-w/,
        ]),
        ...folders.map((path): [string, number, RegExp] => [
          path,
          0o022,
          /the folder .* may be written by every user/,
        ]),
      ]
      assert.ok(cases.length > 0)
      for (const [path, more, reason] of cases) {
        const { mode } = statSync(path)
        chmodSync(path, mode | more)
        await assertRefuses(start, reason)
        chmodSync(path, mode)
      }
    })
  }
})

test('a configuration with secrets that every user may read is told about, and one without is not', async () => {
  const server = await Server.start()
  await server.program.stop()
  const file = join(server.folder, 'palisade.json')
  chmodSync(file, 0o644)
  const open = new Program(['serve', '--config', file])
  const [ready] = await open.line(/^\{.*"msg":"ready"\}$/)
  await open.line(/"condition":"readable-configuration"/)
  const { port } = { port: JSON.parse(ready).ports.services.http }
  const reply = await fetch(`http://127.0.0.1:${port}/readyz`)
  const { warnings } = (await reply.json()) as { warnings: { service: string; condition: string }[] }
  assert.deepEqual(
    warnings.map(({ service, condition }) => [service, condition]),
    [['server', 'readable-configuration']],
  )
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  assert.match(metrics, /palisade_service_warnings\{service="server",condition="readable-configuration"\} 1/)
  await open.stop()
  const { firewall, services } = provisioned
  const harmless = {
    dataDirectory: join(server.folder, 'data'),
    firewall: { ...firewall, administrators: [] },
    services,
  }
  writeFileSync(file, JSON.stringify(harmless), { mode: 0o644 })
  const program = new Program(['serve', '--config', file])
  await program.line(/"msg":"ready"/)
  await program.stop()
  assert.doesNotMatch(program.output, /readable-configuration/)
})

test('a key in the file of a proxy that every user may read is told about', async () => {
  const server = await Server.start()
  const proxy = await ProxyProcess.start(server)
  await proxy.program.stop()
  const key = readFileSync(join(server.folder, 'data', 'firewall-proxy.key'), 'utf8')
  const file = join(proxy.folder, 'proxy.json')
  const { keyFile, ...rest } = JSON.parse(readFileSync(file, 'utf8'))
  assert.equal(typeof keyFile, 'string')
  writeFileSync(file, JSON.stringify({ ...rest, key }), { mode: 0o644 })
  chmodSync(file, 0o644)
  const open = new Program(['proxy', '--config', file])
  await open.line(/the key in it opens the private keys of all services/)
  await open.stop()
  chmodSync(file, 0o640)
  const closed = new Program(['proxy', '--config', file])
  await closed.line(/"msg":"carrying traffic"/)
  await closed.stop()
  assert.doesNotMatch(closed.output, /the key in it/)
  await server.remove()
})

test('a database that was put back as others may read it is for its owner alone after the next start', async () => {
  const server = await Server.start()
  await server.program.stop()
  const database = join(server.folder, 'data', 'palisade.sqlite')
  chmodSync(database, 0o644)
  const again = await Server.start(server.folder)
  assert.equal(statSync(database).mode & 0o777, 0o600)
  await again.remove()
})
