import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import type {
  SnapshotAuthentication,
  SnapshotAuthorizationPolicy,
  SnapshotLdapDirectory,
} from '@palisade/proxy-protocol'
import { freePort } from '@palisade/start-up/testing'
import { protectedByPassword } from '../../testing/password-logins.ts'

const base = 'dc=example,dc=org'
const bindPassword = 'of the service account'

const entries = `dn: ${base}
objectClass: domain
dc: example

dn: cn=firewall,${base}
objectClass: organizationalRole
objectClass: simpleSecurityObject
cn: firewall
userPassword: ${bindPassword}

dn: uid=ada,${base}
objectClass: inetOrgPerson
uid: ada
cn: Ada
sn: L
userPassword: secret

dn: uid=bob\\2C (x)*,${base}
objectClass: inetOrgPerson
uid: bob, (x)*
cn: Bob
sn: B
userPassword: secret

dn: cn=staff,${base}
objectClass: groupOfNames
cn: staff
member: uid=ada,${base}

dn: cn=everybody,${base}
objectClass: groupOfNames
cn: everybody
member: cn=staff,${base}
member: cn=everybody,${base}
member: uid=bob\\2C (x)*,${base}
`

const folder = mkdtempSync(join(tmpdir(), 'palisade-slapd-'))
const children: ReturnType<typeof spawn>[] = []
let port: number
let tlsPort: number
let slapd: ReturnType<typeof spawn>

before(async () => {
  port = await freePort()
  tlsPort = await freePort()
  run('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'],
    ...['-subj', '/CN=directory', '-addext', 'subjectAltName=IP:127.0.0.1'],
    ...['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'certificate.pem')],
  ])
  mkdirSync(join(folder, 'data'))
  const schemas = ['core', 'cosine', 'inetorgperson', 'nis'].map(
    (name) => `include /etc/ldap/schema/${name}.schema\n`,
  )
  writeFileSync(
    join(folder, 'slapd.conf'),
    `${schemas.join('')}modulepath /usr/lib/ldap
moduleload back_mdb
TLSCertificateFile ${folder}/certificate.pem
TLSCertificateKeyFile ${folder}/key.pem
allow bind_anon_cred bind_anon_dn
database mdb
suffix "${base}"
directory ${folder}/data
access to attrs=userPassword by anonymous auth by * none
access to * by dn.exact="cn=firewall,${base}" read by * none
`,
  )
  writeFileSync(join(folder, 'entries.ldif'), entries)
  run('/usr/sbin/slapd', ['-Tadd', '-f', join(folder, 'slapd.conf'), '-l', join(folder, 'entries.ldif')])
  slapd = await startSlapd()
})
after(() => {
  for (const child of children) child.kill()
  rmSync(folder, { recursive: true, force: true })
})

test('a directory lets in whom it knows, under the name it has, and nobody else', async (t) => {
  const { ask } = await protectedBy(t, [directory()], { allowsEverybody: true })
  assert.deepEqual(await ask('ADA', 'secret'), { status: 200, body: 'ada: ' })
  for (const name of [
    '*',
    'a*',
    'x)(uid=*',
    '*)(uid=ada',
    'nobody',
    '',
    'ada\0',
    'cn=firewall',
    'OTHER\\ada',
  ]) {
    assert.equal((await ask(name, 'secret')).status, 401, name)
  }
  assert.equal((await ask('ada', 'wrong')).status, 401)
  assert.equal((await ask('ada', '')).status, 401)
  assert.equal((await ask('bob, (x)*', 'secret')).body, 'bob, (x)*: ')
  assert.equal((await ask('example\\ada', 'secret')).status, 200)
})

test('groups of a directory are those that hold the user, and those that hold these only where that is asked for', async (t) => {
  const policy = { groups: ['everybody'] }
  const direct = await protectedBy(t, [directory({ looksUpGroups: true })], policy)
  assert.equal((await direct.ask('ada', 'secret')).status, 403)
  assert.equal((await direct.ask('bob, (x)*', 'secret')).body, 'bob, (x)*: everybody')
  const nested = await protectedBy(
    t,
    [directory({ looksUpGroups: true, allowsNestedGroups: true, groupFilter: 'objectClass=groupOfNames' })],
    policy,
  )
  assert.equal((await nested.ask('ada', 'secret')).body, 'ada: staff,everybody')
  const filtered = await protectedBy(
    t,
    [directory({ looksUpGroups: true, groupFilter: '(cn=staff)' })],
    policy,
  )
  assert.equal((await filtered.ask('bob, (x)*', 'secret')).status, 403)
})

test('failures are counted for all spellings of a name together', async (t) => {
  const { ask } = await protectedBy(t, [directory()], { allowsEverybody: true }, { limitsFailures: true })
  for (const name of ['ada', 'ADA']) assert.equal((await ask(name, 'wrong')).status, 401)
  assert.equal((await ask('example\\Ada ', 'secret')).status, 429)
})

test('nothing is sent to a directory whose certificate nobody vouches for', async (t) => {
  for (const encryption of ['start-tls', 'tls'] as const) {
    const { ask, details } = await protectedBy(t, [encrypted(encryption)], { allowsEverybody: true })
    assert.equal((await ask('ada', 'secret')).status, 503)
    assert.match(details(), /127\.0\.0\.1: DEPTH_ZERO_SELF_SIGNED_CERT/)
    assert.doesNotMatch(details(), /secret|of the service account/)
  }
  const before = getCACertificates('default')
  t.after(() => setDefaultCACertificates(before))
  setDefaultCACertificates([...before, readFileSync(join(folder, 'certificate.pem'), 'utf8')])
  for (const encryption of ['start-tls', 'tls'] as const) {
    const { ask } = await protectedBy(t, [encrypted(encryption)], { allowsEverybody: true })
    assert.equal((await ask('ada', 'secret')).status, 200)
  }
})

test('a directory that is away lets nobody in, another takes its place, and it is asked again', async (t) => {
  const away = directory({ port: await freePort() })
  const second = await protectedBy(t, [away, directory()], { allowsEverybody: true })
  assert.equal((await second.ask('ada', 'secret')).status, 200)
  const refused = await protectedBy(t, [directory({ bindPassword: 'wrong' })], { allowsEverybody: true })
  assert.equal((await refused.ask('ada', 'secret')).status, 503)
  assert.match(refused.details(), /refuses bind-dn or bind-password/)
  const only = await protectedBy(t, [directory()], { allowsEverybody: true })
  slapd.kill()
  await once(slapd, 'exit')
  assert.equal((await only.ask('ada', 'secret')).status, 503)
  slapd = await startSlapd()
  assert.equal((await only.ask('ada', 'secret')).status, 200)
})

function directory(settings: Partial<SnapshotLdapDirectory> = {}): SnapshotLdapDirectory {
  return {
    address: '127.0.0.1',
    port,
    encryption: 'none',
    baseDn: base,
    bindDn: `cn=firewall,${base}`,
    bindPassword,
    loginAttribute: 'uid',
    domainAlias: 'EXAMPLE',
    looksUpGroups: false,
    groupNameAttribute: 'cn',
    allowsNestedGroups: false,
    ...settings,
  }
}

function encrypted(encryption: 'start-tls' | 'tls'): SnapshotLdapDirectory {
  return directory({ encryption, port: encryption === 'tls' ? tlsPort : port })
}

function protectedBy(
  t: TestContext,
  directories: readonly SnapshotLdapDirectory[],
  policy: Partial<SnapshotAuthorizationPolicy>,
  more: Partial<SnapshotAuthentication> = {},
) {
  return protectedByPassword(t, { by: 'directories', directories, ...more }, policy)
}

async function startSlapd() {
  const child = spawn('/usr/sbin/slapd', [
    ...[
      '-d',
      '0',
      '-f',
      join(folder, 'slapd.conf'),
      '-h',
      `ldap://127.0.0.1:${port}/ ldaps://127.0.0.1:${tlsPort}/`,
    ],
  ])
  children.push(child)
  for (let tries = 0; tries < 100 && child.exitCode === null; tries++) {
    const socket = connect(port, '127.0.0.1')
    const isUp = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isUp) return child
    await sleep(50)
  }
  throw new Error('slapd does not listen')
}

function run(command: string, args: readonly string[]) {
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' })
  assert.equal(status, 0, stderr)
}
