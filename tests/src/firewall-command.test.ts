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
    assert.equal(await firewall.done('delete', 'server', 'shop/web1'), 'server shop/web1 is deleted.')
    assert.equal(await firewall.done('list', 'servers', 'shop', '--quiet'), '')
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
