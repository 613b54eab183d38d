import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type FirewallCommand, firewallCommandOf } from './support/firewall/firewall-command.ts'
import { cleanUp, newFolder, Server } from './support/programs/server.ts'

after(cleanUp)

describe('palisade firewall', () => {
  let server: Server
  let firewall: FirewallCommand
  before(async () => {
    server = await Server.start()
    firewall = firewallCommandOf(server)
  })
  after(() => server.remove())

  test('creates, shows, changes and deletes objects of any kind, also inside others', async () => {
    await firewall.done('create', 'service', 'shop', 'ip-address=127.0.0.1', 'port=18080')
    await firewall.done('create', 'server', 'shop/web1', 'ip-address=192.0.2.7', 'port=80')
    assert.match(await firewall.done('list', 'servers', 'shop'), /web1 .*192\.0\.2\.7/)
    assert.equal(await firewall.done('list', 'services', '--quiet'), 'shop')
    await firewall.done('set', 'server', 'shop/web1', 'ssl-policy', 'enable-https=yes')
    assert.match(await firewall.done('get', 'server', 'shop/web1', 'ssl-policy'), /^enable-https +Yes$/m)
    const whole = JSON.parse(await firewall.done('get', 'service', 'shop', '-o', 'json'))
    assert.equal(whole.fields.port, '18080')
    assert.equal(whole.sections['basic-security'].mode, 'Passive')
    await firewall.done('set', 'system', 'dns', 'primary-dns-server=192.0.2.53')
    assert.match(await firewall.done('get', 'system', 'dns'), /^primary-dns-server +192\.0\.2\.53$/m)
    await firewall.done('create', 'samlsp-identity-provider', 'name=idp')
    assert.match(await firewall.done('get', 'samlsp-identity-provider'), /^name +idp$/m)
    await firewall.done('create', 'ntp-server', 'clock', 'ip-address=192.0.2.123')
    assert.match(await firewall.done('list', 'ntp-servers'), /192\.0\.2\.123/)
    assert.match(await firewall.done('delete', 'server', 'shop/web1'), /^server shop\/web1 is deleted\./)
    assert.equal(await firewall.done('list', 'servers', 'shop', '--quiet'), '')
  })

  test('asks at a terminal what else goes with an object, and says which command takes its deletion back', async () => {
    const example = ['ip-address=127.0.0.1', 'port=18090']
    await firewall.done('create', 'service', 'wrong', ...example)
    for (const name of ['web1', 'web2'])
      await firewall.done('create', 'server', `wrong/${name}`, 'ip-address=192.0.2.7', 'port=80')
    await firewall.done('create', 'url-acl', 'wrong/private', 'url=/private/*', 'action=deny and log')
    const before = await firewall.done('get', 'service', 'wrong', '-o', 'yaml')
    const question = /Delete service wrong, and with it 2 servers, 1 url-acl\? \[y\/N\] /
    const refused = firewall.typed('delete', 'service', 'wrong')
    await refused.answer(question, 'n')
    assert.equal(await refused.ended(), 1)
    assert.match(refused.screen, /Nothing was changed\./)
    assert.match(await firewall.done('list', 'services', '--quiet'), /^wrong$/m)

    const terminal = firewall.typed('delete', 'service', 'wrong')
    await terminal.answer(question, 'y')
    assert.equal(await terminal.ended(), 0, terminal.screen)
    const [, command = ''] =
      /^service wrong is deleted\. "palisade firewall (.+)" takes it back\.\r?$/m.exec(terminal.screen) ?? []
    assert.doesNotMatch(await firewall.done('list', 'services', '--quiet'), /^wrong$/m)
    assert.match(await firewall.done(...command.split(' '), '--dry-run'), /^\+ server wrong\/web1$/m)
    await firewall.done(...command.split(' '))
    assert.equal(await firewall.done('get', 'service', 'wrong', '-o', 'yaml'), before)
    assert.equal(await firewall.done('list', 'servers', 'wrong', '--quiet'), 'web1\nweb2')
    assert.equal(await firewall.done('list', 'url-acls', 'wrong', '--quiet'), 'private')

    const many = Array.from({ length: 101 }, (_, index) => `s${index}`)
    const lot = firewall.typed('delete', 'service', ...many)
    await lot.answer(
      /Delete 101 services, with all that lies inside them\? Only the last 100 deletions can be taken back\. Requests that they have stored do not come back\. \[y\/N\] /,
      'n',
    )
    assert.equal(await lot.ended(), 1)

    const unasked = firewall.typed('delete', 'service', 'wrong', '--yes')
    assert.equal(await unasked.ended(), 0, unasked.screen)
    assert.doesNotMatch(unasked.screen, /\[y\/N\]/)
  })

  test('asks before a certificate goes, and before what nothing takes back', async () => {
    await firewall.done('certificates', 'create', 'own', 'common-name=own.example.org', 'country-code=DE')
    const certificate = firewall.typed('certificates', 'delete', 'own')
    await certificate.answer(/Delete the certificate own, with its key\? \[y\/N\] /, 'y')
    assert.equal(await certificate.ended(), 0, certificate.screen)
    const [, command = ''] = /"palisade firewall (.+)" takes it back/.exec(certificate.screen) ?? []
    await firewall.done(...command.split(' '))
    assert.match(await firewall.done('certificates', 'show', 'own'), /own\.example\.org/)

    await firewall.done('checkpoints', 'create', 'before')
    const password = join(newFolder(), 'password')
    writeFileSync(password, 'a long passphrase 9\n')
    const members = ['email-address=bob@example.org', 'role=admin', `password=@${password}`]
    await firewall.done('create', 'user', 'bob', ...members)
    for (const [words, question] of [
      [['checkpoints', 'delete', 'before'], /Delete the checkpoint before\? Nothing takes this back\./],
      [['delete', 'user', 'bob'], /Delete user bob\? Nothing takes this back\./],
    ] as const) {
      const terminal = firewall.typed(...words)
      await terminal.answer(question, 'y')
      assert.equal(await terminal.ended(), 0, terminal.screen)
      assert.match(terminal.screen, /is deleted\.\r?\n/)
    }
  })

  test('takes a secret from a file, without its last line end', async () => {
    const file = join(newFolder(), 'secret')
    writeFileSync(file, 'a long passphrase 9\n')
    await firewall.done(
      'create',
      'user',
      'eve',
      'email-address=eve@example.org',
      'role=admin',
      `password=@${file}`,
    )
    const asEve = ['--username', 'eve', '--password-file', file]
    assert.match(await firewall.done('list', 'users', '--quiet', ...asEve), /^eve$/m)
  })

  test('takes an object from a file, and from what get has printed', async () => {
    const file = join(newFolder(), 'service.yaml')
    writeFileSync(file, 'ip-address: 127.0.0.1\nport: 18081\n')
    await firewall.done('create', 'service', 'office', '-f', file)
    await firewall.done('set', 'service', 'office', 'basic-security', 'mode=Active')
    writeFileSync(file, await firewall.done('get', 'service', 'office', '-o', 'yaml'))
    await firewall.done('create', 'service', 'office2', '-f', file, 'port=18082')
    assert.match(await firewall.done('get', 'service', 'office2', 'basic-security'), /^mode +Active$/m)
  })

  test('names what is nearest to a misspelt kind, section, field or value, and asks the server for nothing', async () => {
    assert.match(
      await firewall.refused('list', 'srvices'),
      /^There is no kind srvices\. Did you mean services or /,
    )
    assert.match(
      await firewall.refused('get', 'service', 'shop', 'basic-securty'),
      /Did you mean basic-security\?/,
    )
    assert.match(
      await firewall.refused('create', 'service', 'x', 'prot=80'),
      /no field prot of a service\. Did you mean port\?/,
    )
    assert.match(
      await firewall.refused('set', 'service', 'shop', 'basic-security', 'mode=actve'),
      /Did you mean Active\?/,
    )
    assert.match(
      await firewall.refused('get', 'server', 'web1'),
      /A server is named SERVICE\/SERVER, not web1/,
    )
    assert.match(await firewall.refused('list', 'servers'), /Say which service holds the server/)
  })

  test('says in the words of the server what was refused', async () => {
    assert.match(await firewall.refused('get', 'service', 'nowhere'), /There is no service "nowhere"/)
    assert.match(await firewall.refused('create', 'service', 'y', 'port=70000'), /port must be an integer/)
  })

  test('ends its token, also when it was refused, and fails to log in only once', async () => {
    const events = async () => {
      const lines = await firewall.done(
        'logs',
        'audit',
        '--filter',
        'transaction-type=Logout',
        '--limit',
        '1000',
      )
      return lines.split('\n').length
    }
    const before = await events()
    await firewall.refused('get', 'service', 'nowhere')
    assert.equal(await events(), before + 2)
    const wrong = join(newFolder(), 'wrong')
    writeFileSync(wrong, 'not the password')
    assert.match(await firewall.refused('list', 'services', '--password-file', wrong), /Invalid Credentials/)
    const failed = await firewall.done('logs', 'audit', '--filter', 'change-type=Failure')
    assert.equal(failed.split('\n').length, 1, failed)
  })

  test('lists kinds and their fields', async () => {
    const kinds = JSON.parse(await firewall.done('kinds', '-o', 'json'))
    assert.ok(kinds.length > 100)
    assert.match(await firewall.done('kinds', 'service', 'basic-security'), /mode .*Passive, Active/)
  })
})
