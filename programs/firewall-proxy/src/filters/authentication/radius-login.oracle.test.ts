import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import type {
  SnapshotAuthentication,
  SnapshotAuthorizationPolicy,
  SnapshotRadiusServer,
} from '@palisade/proxy-protocol'
import { protectedByPassword } from '../../testing/password-logins.ts'
import { freeUdpPort, type RadiusServer, startRadiusServer } from '../../testing/radius-server.ts'

const sharedSecret = 'an example secret'
const longPassword = 'pass word é '.repeat(9)

const users = `ada Cleartext-Password := "secret"
	Filter-Id := "staff",
	Filter-Id += "divers"

bob Cleartext-Password := "secret"
	User-Name := "Bob"

eve Cleartext-Password := "${longPassword}"

code Auth-Type := Accept, Response-Packet-Type := Access-Challenge
	Reply-Message := "Which code?"
`

let server: RadiusServer
before(async () => {
  server = await startRadiusServer(sharedSecret, users)
})
after(() => server.stop())

test('a RADIUS server lets in whom it knows, under the name it has, and nobody else', async (t) => {
  const { ask } = await protectedBy(t, [radius()], { allowsEverybody: true })
  assert.deepEqual(await ask('ada', 'secret'), { status: 200, body: 'ada: staff,divers' })
  assert.deepEqual(await ask('bob', 'secret'), { status: 200, body: 'Bob: ' })
  assert.equal((await ask('eve', longPassword)).status, 200)
  assert.equal((await ask('eve', longPassword.slice(0, -1))).status, 401)
  for (const [name, password] of [
    ['ada', 'wrong'],
    ['ada', ''],
    ['nobody', 'secret'],
    ['', 'secret'],
    [' ada', 'secret'],
    ['ada\0', 'secret'],
    ['x'.repeat(300), 'secret'],
    ['ada', 'x'.repeat(200)],
  ] as const) {
    assert.equal((await ask(name, password)).status, 401, JSON.stringify([name, password]))
  }
})

test('groups are the filters that the server names', async (t) => {
  const divers = await protectedBy(t, [radius()], { groups: ['divers'] })
  assert.equal((await divers.ask('ada', 'secret')).status, 200)
  assert.equal((await divers.ask('bob', 'secret')).status, 403)
})

test('failures are counted for all spellings of a name together', async (t) => {
  const { ask } = await protectedBy(t, [radius()], { allowsEverybody: true }, { limitsFailures: true })
  for (const name of ['ada', 'ADA']) assert.equal((await ask(name, 'wrong')).status, 401)
  assert.equal((await ask('Ada', 'secret')).status, 429)
})

test('who is asked for a code is not let in, and the log says why', async (t) => {
  const { ask, details } = await protectedBy(t, [radius()], { allowsEverybody: true })
  assert.equal((await ask('code', 'secret')).status, 401)
  assert.match(details(), /asks for more than name and password/)
})

test('an acceptance that anybody on the way could have made lets nobody in', async (t) => {
  const { ask, details } = await protectedBy(t, [radius({ port: server.unprovedPort })], {
    allowsEverybody: true,
  })
  assert.equal((await ask('ada', 'wrong')).status, 401)
  assert.equal((await ask('ada', 'secret')).status, 503)
  assert.match(details(), /127\.0\.0\.1: it accepts without a Message-Authenticator/)
  assert.doesNotMatch(details(), /secret\b(?!-)/)
})

test('a server that is away or has another secret lets nobody in, and another takes its place', async (t) => {
  const away = radius({ port: await freeUdpPort() })
  const wrong = radius({ sharedSecret: 'another secret', retries: 1, timeoutSeconds: 1 })
  const second = await protectedBy(t, [away, wrong, radius()], { allowsEverybody: true })
  assert.equal((await second.ask('ada', 'secret')).status, 200)
  const none = await protectedBy(t, [away, wrong], { allowsEverybody: true })
  assert.equal((await none.ask('ada', 'secret')).status, 503)
  assert.match(none.details(), /ECONNREFUSED; 127\.0\.0\.1: no answer to what it was asked/)
  const forbidden = await protectedBy(
    t,
    [radius()],
    { allowsEverybody: true },
    { forbidden: { networks: ['127.0.0.0/8'], endpoints: [] } },
  )
  assert.equal((await forbidden.ask('ada', 'secret')).status, 503)
})

test('a proxy that knows no RADIUS refuses, by what the snapshot says of users', async (t) => {
  const { ask } = await protectedByPassword(t, { by: 'nobody' }, { allowsEverybody: true })
  assert.equal((await ask('ada', 'secret')).status, 503)
})

function radius(settings: Partial<SnapshotRadiusServer> = {}): SnapshotRadiusServer {
  return { address: '127.0.0.1', port: server.port, sharedSecret, retries: 3, timeoutSeconds: 5, ...settings }
}

function protectedBy(
  t: TestContext,
  radiusServers: readonly SnapshotRadiusServer[],
  policy: Partial<SnapshotAuthorizationPolicy>,
  more: Partial<SnapshotAuthentication> = {},
) {
  return protectedByPassword(t, { by: 'nobody', radiusServers, ...more }, policy)
}
