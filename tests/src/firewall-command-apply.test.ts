import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { createExamples } from './support/firewall/contract-examples.ts'
import { type FirewallCommand, firewallCommandOf } from './support/firewall/firewall-command.ts'
import { Management } from './support/firewall/proxy.ts'
import { cleanUp, newFolder, Server } from './support/programs/server.ts'

after(cleanUp)

describe('palisade firewall apply', () => {
  let server: Server
  let management: Management
  let firewall: FirewallCommand
  before(async () => {
    server = await Server.start()
    management = await Management.connect(server)
    firewall = firewallCommandOf(server)
  })
  after(() => server.remove())

  test('of an export changes nothing, and brings back an object of every kind that can be created', async (t) => {
    await management.call('POST', 'configuration-checkpoints', { name: 'fresh' })
    const { kinds, refusals } = await createExamples(management)
    assert.deepEqual(refusals, [])
    t.diagnostic(`${kinds} kinds can be created`)
    assert.ok(kinds > 95, `${kinds}`)

    const folder = newFolder()
    await firewall.done('export', folder)
    const documentKinds = new Set(documentsBelow(folder).flatMap((text) => text.match(/^kind: .*$/gm) ?? []))
    assert.ok(documentKinds.size >= kinds, `${documentKinds.size} kinds are exported`)
    assert.equal(await firewall.done('apply', '-f', folder), 'Nothing has to be changed.')
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      assert.equal(statSync(join(folder, name)).mode & 0o077, 0, name)
    }

    await management.call('POST', 'configuration-checkpoints/fresh/rollback', {})
    assert.match(await firewall.done('apply', '-f', folder), /^\+ service shop$.*objects changed\.$/ms)
    assert.equal(await firewall.done('apply', '-f', folder), 'Nothing has to be changed.')
    const again = newFolder()
    await firewall.done('export', again)
    assert.deepEqual(documentsBelow(again), documentsBelow(folder))
    await management.call('POST', 'configuration-checkpoints/fresh/rollback', {})
  })

  test('makes new certificates, what names them, and administrators; then there is nothing left to change', async () => {
    const folder = newFolder()
    const certificate = newCertificate(folder, 'localhost')
    const file = join(folder, 'office.json')
    const objects = [
      { kind: 'server', parent: 'office', name: 'one', fields: { 'ip-address': '127.0.0.1', port: 9000 } },
      {
        kind: 'service',
        name: 'office',
        fields: { 'ip-address': '127.0.0.1', port: 18083, type: 'HTTPS' },
        sections: { 'ssl-security': { status: 'On', certificate: 'office' } },
      },
      { kind: 'signed-certificate', name: 'office', fields: certificate },
      {
        kind: 'self-signed-certificate',
        name: 'own',
        fields: { 'common-name': 'own.example', 'country-code': 'DE' },
      },
      {
        kind: 'user',
        name: 'eve',
        fields: { 'email-address': 'eve@example.org', role: 'admin', password: 'a long passphrase 7' },
      },
      { kind: 'ldap-authentication-service', name: 'staff', fields: {} },
      {
        kind: 'ldap-domain-server',
        parent: 'staff',
        name: '192.0.2.20',
        fields: { 'bind-dn': 'cn=waf', 'base-dn': 'dc=example', 'bind-password': 'a bind secret' },
      },
    ]
    writeFileSync(file, JSON.stringify(objects))
    const trial = await firewall.done('apply', '-f', file, '--dry-run')
    assert.match(trial, /^\+ signed-certificate office$/m)
    assert.match(trial, /^\+ service office$/m)
    assert.match(trial, /7 objects would be changed; nothing was changed\.$/)
    assert.equal(JSON.parse(await firewall.done('apply', '-f', file, '--dry-run', '-o', 'json')).length, 7)
    assert.equal(await firewall.done('list', 'services', '--quiet'), '')
    assert.doesNotMatch(trial, /secret|passphrase|PRIVATE/)
    await firewall.done('apply', '-f', file)
    assert.match(await firewall.done('get', 'service', 'office', 'ssl-security'), /^certificate +office$/m)
    assert.equal(await firewall.done('apply', '-f', file), 'Nothing has to be changed.')

    const without = objects.map((object) => ({
      ...object,
      fields: { ...object.fields, 'bind-password': undefined },
    }))
    writeFileSync(file, JSON.stringify(without))
    assert.equal(
      await firewall.done('apply', '-f', file),
      'Nothing has to be changed.',
      'a secret that is left out stays',
    )

    const other = objects.map((object) =>
      object.kind === 'signed-certificate' ? { ...object, fields: newCertificate(folder, 'other') } : object,
    )
    writeFileSync(file, JSON.stringify(other))
    assert.match(
      await firewall.refused('apply', '-f', file),
      /signed-certificate office is there, and is another one/,
    )
  })

  test('an export replaces the files of an earlier one, and no others', async () => {
    const folder = newFolder()
    await firewall.done('create', 'service', 'gone', 'ip-address=127.0.0.1', 'port=18089')
    await firewall.done('export', folder)
    writeFileSync(join(folder, 'package.json'), '{}')
    await firewall.done('delete', 'service', 'gone')
    assert.match(await firewall.refused('export', folder), /holds documents already\. --replace puts/)
    assert.ok(existsSync(join(folder, 'service', 'gone.yaml')))
    await firewall.done('export', folder, '--replace')
    assert.ok(!existsSync(join(folder, 'service', 'gone.yaml')))
    assert.ok(existsSync(join(folder, 'package.json')))
  })

  test('shows what differs, and deletes the rest of the kinds only when that is agreed to', async () => {
    const file = join(newFolder(), 'shop.yaml')
    const shop = (port: number) =>
      `kind: service\nname: shop\nfields:\n  ip-address: 127.0.0.1\n  port: ${port}\nsections:\n  basic-security: {mode: Active}\n`
    writeFileSync(file, shop(18090))
    await firewall.done('apply', '-f', file)
    await firewall.done('create', 'server', 'shop/one', 'ip-address=192.0.2.7')
    await firewall.done('create', 'service', 'old', 'ip-address=127.0.0.1', 'port=18091')
    writeFileSync(file, shop(18092))
    const difference = await firewall.refused('diff', '-f', file)
    assert.equal(difference, '~ service shop\n    port: 18090 -> 18092\n1 object differs from the files.')
    assert.match(await firewall.refused('apply', '-f', file, '--prune'), /would be deleted\. --yes does so/)
    assert.match(await firewall.done('list', 'services', '--quiet'), /^old$/m)
    const applied = await firewall.done('apply', '-f', file, '--prune', '--yes')
    assert.match(applied, /^- service old$/m)
    assert.match(applied, /^~ service shop$/m)
    assert.equal(await firewall.done('list', 'services', '--quiet'), 'shop')
    assert.equal(
      await firewall.done('list', 'servers', 'shop', '--quiet'),
      'one',
      'a kind that no file states stays',
    )
  })

  test('does not delete who calls, nor what the factory has made', async () => {
    const file = join(newFolder(), 'objects.yaml')
    writeFileSync(
      file,
      'kind: user\nname: adam\nfields: {email-address: adam@example.org, role: admin, password: a long passphrase 8}\n---\nkind: security-policy\nname: mine\nfields: {}\n',
    )
    await firewall.done('set', 'security-policy', 'default', 'cloaking', 'suppress-return-code=No')
    await firewall.done('apply', '-f', file, '--prune', '--yes')
    assert.equal(await firewall.done('list', 'users', '--quiet'), 'adam\nadmin')
    assert.match(await firewall.done('list', 'security-policies', '--quiet'), /^default$/m)
  })

  test('tells every fault of what the files state, and changes nothing', async () => {
    const file = join(newFolder(), 'faulty.yaml')
    const before = await firewall.done('export')
    writeFileSync(
      file,
      'kind: service\nname: bad\nfields: {port: 70000}\n---\nkind: service\nname: worse\nfields: {mask: x}\n',
    )
    const message = await firewall.refused('apply', '-f', file)
    assert.match(message, /service "bad": .*port must be an integer/)
    assert.match(message, /service "worse": .*mask/)
    assert.equal(withoutSeals(await firewall.done('export')), withoutSeals(before))
    for (const [text, fault] of [
      ['kind: servce\nname: x\n', /object 1: There is no kind servce\. Did you mean service/],
      ['kind: server\nname: x\n', /Say which service holds the server/],
      ['kind: service\nname: x\nfelds: {}\n', /felds is none of kind, parent/],
      ['kind: service\nname: x\nfields: {prot: 1}\n', /no field prot of a service\. Did you mean port/],
      ['kind: service\nname: x\n---\nkind: service\nname: x\n', /service x is stated in .* already/],
      ['kind: [', /is not YAML/],
    ] as const) {
      writeFileSync(file, text)
      assert.match(await firewall.refused('apply', '-f', file), fault)
    }
  })
})

/** A certificate and its key, as the fields of a signed-certificate. */
function newCertificate(folder: string, host: string): Record<string, string> {
  const [key, certificate] = [join(folder, `${host}.key`), join(folder, `${host}.pem`)]
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '30', '-subj', `/CN=${host}`]
  execFileSync('openssl', [...request, '-keyout', key, '-out', certificate], { stdio: 'ignore' })
  return {
    'signed-certificate': readFileSync(certificate, 'utf8'),
    'certificate-key': readFileSync(key, 'utf8'),
  }
}

function documentsBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.yaml'))
    .sort()
    .map((name) => withoutSeals(readFileSync(join(folder, name), 'utf8')))
}

/** Sealed texts are different each time. */
function withoutSeals(text: string): string {
  return text.replaceAll(/sealed:\S+/g, 'sealed')
}
