import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { ConfigurationError, loadConfiguration } from './load.ts'

const folder = mkdtempSync(join(tmpdir(), 'configuration-'))
after(() => rmSync(folder, { recursive: true }))
const file = join(folder, 'palisade.yaml')

/** What is said of a file, without its path in front. */
function faultsOf(text: string, environment: Record<string, string> = {}): readonly string[] {
  writeFileSync(file, text)
  try {
    loadConfiguration({ file, environment, flags: {} })
    return []
  } catch (error) {
    assert.ok(error instanceof ConfigurationError, String(error))
    assert.ok(!error.message.includes('p4ss'), error.message)
    return error.lines.map((line) => line.replace(`${file}:`, ''))
  }
}

test('names every fault at once, of form, of values and of what is beside each other, with line and column', () => {
  const text = `firewall:
  listen: { http: 9000, https: eighty }
  administrators:
    - { username: admin, password: a secret }
    - { username: admin, password: p4ss }
services:
  listen:
    https: 8443
  trustedProxies: [ proxy.example.org ]
emaill: {}
email:
  accounts:
    - id: "1"
      domains:
        - { id: 4, name: example.org, status: VERIFIED, type: ESS }
        - { id: 4, name: example.net, status: VERIFIED, type: ESS }
    - name: Example
awareness:
  users:
    - { username: u, password: p4ssword }
    - { username: u, password: p4ssword }
`
  assert.deepEqual(faultsOf(text), [
    '2:25: firewall.listen.https is "eighty": it must be a whole number from 0 to 65535',
    '5:26: firewall.administrators.1.password must be a text of at least 8 characters',
    '9:21: services.trustedProxies.0 must be an address such as 192.0.2.1, a network such as 192.0.2.0/24, or one of loopback, linklocal, uniquelocal',
    '10:1: emaill is no member of the configuration: did you mean email?',
    '17:7: email.accounts.1.id is missing: it must be a text, and not empty',
    '21:7: awareness.users.1 repeats a username',
  ])
})

test('takes the example of the documents, with secrets in the place of dots', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/operating/README.md'), 'utf8')
  const [, example = ''] = /^```yaml\n(.*?)^```/ms.exec(page) ?? []
  assert.match(example, /^dataDirectory: /)
  assert.deepEqual(faultsOf(example.replaceAll('…', 'long enough')), [])
})

test('names the listener of two that the file has, where the other one is a default', () => {
  assert.deepEqual(faultsOf('log: {}\nfirewall:\n  listen:\n    http: 8080\n'), [
    '4:5: services.listen.http is 8080, which firewall.listen.http has already',
  ])
})

test('names a member that a variable has set by the variable, before the file', () => {
  assert.deepEqual(faultsOf('log: { level: loud }', { PALISADE_SERVICES_LISTEN_HTTP: '8000' }), [
    'PALISADE_SERVICES_LISTEN_HTTP: services.listen.http is 8000, which firewall.listen.http has already',
    '1:8: log.level is "loud": it must be one of trace, debug, info, warn, error, fatal and silent',
  ])
})

test('names members that are given twice, and goes on with the others', () => {
  const text = `log: { level: info, level: p4ss }
email:
  accounts:
    - { id: "1", domains: [] , id: "2" }
database: 5
log: { level: loud }
`
  assert.deepEqual(faultsOf(text), [
    '1:21: log.level is given twice: line 1 has it already',
    '4:32: email.accounts.0.id is given twice: line 4 has it already',
    '5:1: database must be embedded, or the address of a PostgreSQL such as postgres://user:password@host/database',
    '6:1: log is given twice: line 1 has it already',
    '6:8: log.level is "loud": it must be one of trace, debug, info, warn, error, fatal and silent',
  ])
  assert.deepEqual(
    faultsOf('? [log]\n: 1\n? [log]\n: 2\n').map((fault) => fault.slice(0, 50)),
    ['1:1: "[ log ]" is no member of the configuration: '],
  )
})

test('names everything that is no YAML, and repeats no text of it', () => {
  const text = `database: !p4ss
dataDirectory: *p4ssword
log: "p4ss"word
email: [
`
  assert.deepEqual(faultsOf(text), [
    '1:11: a tag that nobody knows: text that begins with ! has to be quoted',
    '2:16: an alias of what is not there: text that begins with * has to be quoted',
    '3:12: unexpected token',
    '5:1: wrong indentation, or a bracket before this is not closed',
  ])
})

test('follows aliases to where a member stands, and tells when there are too many', () => {
  const text = `firewall: { listen: &listen { host: "127.0.0.1", http: -1 } }
services: { listen: *listen }
`
  assert.deepEqual(faultsOf(text), [
    '1:50: firewall.listen.http is -1: it must be a whole number from 0 to 65535',
    '1:50: services.listen.http is -1: it must be a whole number from 0 to 65535',
  ])
  const bomb = Array.from({ length: 9 }, (_, index) => {
    const alias = index === 0 ? 'x' : `*a${index - 1}`
    return `a${index}: &a${index} [${Array(9).fill(alias).join(', ')}]\n`
  })
  assert.deepEqual(faultsOf(bomb.join('')), ['1:1: the file has too many aliases'])
})

test('refuses aliases of what they stand in', () => {
  assert.deepEqual(
    faultsOf('log: &a { level: *a }\nemail: &b { accounts: [ &c { domains: [ *b, *c ] } ] }\n'),
    [
      '1:18: an alias of what it is in: text that begins with * has to be quoted',
      '2:41: an alias of what it is in: text that begins with * has to be quoted',
      '2:45: an alias of what it is in: text that begins with * has to be quoted',
    ],
  )
})

test('says what a file holds that holds no members, and takes one that holds nothing', () => {
  const whole = (what: string) =>
    `1:1: the file must hold members, such as "log: { level: info }"; it holds ${what}`
  assert.deepEqual(faultsOf('- a\n'), [whole('a list')])
  assert.deepEqual(faultsOf('p4ss'), [whole('one value')])
  assert.deepEqual(faultsOf(''), [])
  assert.deepEqual(faultsOf('# nothing\n'), [])
})
