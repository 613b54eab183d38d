import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { firewallToken } from './support/programs/calls.ts'
import { Program } from './support/programs/program.ts'
import { cleanUp, newFolder, provisioned, Server } from './support/programs/server.ts'

after(cleanUp)

const secrets = ['correct horse', 'battery staple', 'KEY-1', 'enrol-me', 'backup secret', 'email secret']

async function support(...argv: string[]): Promise<{ status: number | null; output: string }> {
  const program = new Program(['support', ...argv])
  const { status } = await program.ended()
  return { status, output: program.output }
}

/** The files of a bundle by their names, as tar unpacks them. */
function unpacked(bundle: string): Map<string, string> {
  const folder = newFolder()
  execFileSync('tar', ['--extract', '--gzip', '--file', bundle, '--directory', folder])
  const [only = ''] = readdirSync(folder)
  assert.match(only, /^palisade-support-\d{4}-\d\d-\d\dT\d{6}$/)
  const root = join(folder, only)
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(root, name)).isFile(),
  )
  return new Map(names.sort().map((name) => [name, readFileSync(join(root, name), 'utf8')]))
}

test('a bundle of a server that runs has what helps, and no secret', async () => {
  const server = await Server.start()
  await firewallToken(server)
  const bundle = join(newFolder(), 'bundle.tar.gz')
  const { status, output } = await support('--config', join(server.folder, 'palisade.json'), '-o', bundle)
  assert.equal(status, 0, output)
  assert.ok(output.startsWith(`${bundle} is written.`), output)
  assert.equal(statSync(bundle).mode & 0o777, 0o600)

  const files = unpacked(bundle)
  assert.deepEqual(
    [...files.keys()],
    [
      'README.txt',
      'configuration.json',
      'data-directory.txt',
      'machine.json',
      'server/attention.json',
      'server/log.jsonl',
      'server/metrics.txt',
      'server/system.json',
      'server/tables.json',
    ],
  )
  const own = ['secret.key', 'vault.key', 'firewall-proxy.key'].flatMap((name) => {
    const file = join(server.dataDirectory, name)
    if (!existsSync(file)) return []
    const key = readFileSync(file)
    return [key.toString('hex'), key.toString('base64'), key.toString('utf8').trim()]
  })
  assert.ok(own.length >= 6)
  for (const [name, text] of files) {
    assert.ok(text.length > 2, name)
    for (const secret of [...secrets, ...own]) assert.ok(!text.includes(secret), `${name} has ${secret}`)
  }
  const json = (name: string) => JSON.parse(files.get(name) ?? '')
  assert.equal(json('configuration.json').firewall.administrators[0].username, 'admin')
  assert.equal(json('configuration.json').firewall.administrators[0].password, '[redacted]')
  assert.equal(json('machine.json').node.node, process.versions.node)
  assert.equal(json('server/system.json').ports.services.http, server.ports.services.http)
  assert.ok(json('server/tables.json').migrations.firewall_migration.length > 0)
  assert.match(files.get('server/log.jsonl') ?? '', /"msg":"ready"/)
  assert.match(files.get('server/metrics.txt') ?? '', /^palisade_http_request_duration_seconds_count\{/m)
  assert.match(files.get('data-directory.txt') ?? '', /^0600 .* palisade\.sqlite$/m)
  assert.match(files.get('data-directory.txt') ?? '', /^0700 .* \.\/ \d+ files$/m)
})

test('a server that does not run, and a configuration that is wrong, are no obstacle', async () => {
  const folder = newFolder()
  const file = join(folder, 'palisade.json')
  writeFileSync(file, JSON.stringify({ dataDirectory: folder, ...provisioned, colour: 'blue' }))
  const bundle = join(newFolder(), 'bundle.tar.gz')
  const { status, output } = await support('--config', file, '--output', bundle)
  assert.equal(status, 0, output)
  const files = unpacked(bundle)
  assert.match(files.get('configuration-problems.txt') ?? '', /colour is no member/)
  assert.equal(files.get('server-not-reached.txt'), `no server runs on the data directory ${folder}\n`)
  assert.match(files.get('data-directory.txt') ?? '', / palisade\.json$/m)
  for (const [name, text] of files) {
    for (const secret of secrets) assert.ok(!text.includes(secret), `${name} has ${secret}`)
  }
})

test('what was there is not written over, and a wrong command line is refused', async () => {
  const folder = newFolder()
  const existing = join(folder, 'existing')
  writeFileSync(existing, 'mine')
  const given = ['--data-directory', join(folder, 'nothing')]
  const refused = await support(...given, '--output', existing)
  assert.equal(refused.status, 1)
  assert.match(refused.output, /^palisade support: .*existing/)
  assert.equal(readFileSync(existing, 'utf8'), 'mine')
  const unknown = await support('--secrets')
  assert.equal(unknown.status, 2)
  assert.match(unknown.output, /see palisade support --help$/)
})
