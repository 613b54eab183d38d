import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { basic, bearer, firewallToken } from './support/programs/calls.ts'
import { cleanUp, newFolder, provisioned, Server } from './support/programs/server.ts'

after(cleanUp)

const owner = { username: 'ops', password: 'a long enough password' }

test('the audit log tells of changes in every service who made them, and no secret', async () => {
  const server = await Server.start(newFolder(), {
    ...provisioned,
    administration: { operators: [{ ...owner, grants: [{ role: 'owner' }] }] },
  })
  const sent = async (url: string, method: string, headers: Record<string, string>, body: object) => {
    const reply = await fetch(url, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    assert.ok(reply.ok, `${method} ${url}: ${reply.status} ${await reply.clone().text()}`)
    return reply
  }
  const administrator = basic(await firewallToken(server))
  const management = `${server.firewall}/restapi/v3.2`
  await sent(`${management}/services`, 'POST', administrator, {
    name: 'shop',
    'ip-address': '127.0.0.1',
    port: 8099,
    type: 'HTTP',
    status: 'Off',
  })
  await sent(`${management}/users`, 'POST', administrator, {
    name: 'second',
    password: 'S3cret-of-the-second!',
    role: 'admin',
    'email-address': 'second@example.org',
  })
  const backups = `${server.services}/backup/v2/accounts/acme/computers/0001`
  const backup = await bearer(server, 'backup')
  await sent(`${backups}/backupsets`, 'POST', backup, {
    name: 'nightly',
    type: 'Disk_Image',
    selection: ['%All%'],
  })
  const email = await bearer(server, 'email')
  await sent(`${server.services}/email/beta/accounts/5584599/ess/domains/4/statistics`, 'POST', email, {
    report: 'r1',
    counts: [
      {
        direction: 'inbound',
        action: 'blocked',
        threatType: 'spam',
        reason: 'score',
        at: new Date().toISOString(),
        count: 1,
      },
    ],
  })
  await fetch(`${backups}/credential`, { method: 'DELETE', headers: backup })

  const login = await sent(`${server.services}/admin/v1/session`, 'POST', {}, owner)
  const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? ''
  const csrf = { cookie, 'x-csrf-token': Object(await login.json()).csrfToken }
  const address = `${server.services}/admin/v1/firewall/administrators`
  const { token } = Object(await (await sent(`${address}/admin/token`, 'POST', csrf, {})).json())
  const withIt = await fetch(`${management}/services`, { headers: basic(token) })
  assert.deepEqual(Object.keys(Object(await withIt.json()).data), ['shop'])
  assert.equal((await fetch(`${address}/nobody/token`, { method: 'POST', headers: csrf })).status, 404)
  const { items } = Object(await (await fetch(`${address}?order=-username`, { headers: { cookie } })).json())
  assert.deepEqual(
    items.map(({ username }: { username: string }) => username),
    ['second', 'admin'],
  )

  // At the APIs of the services operators are known as well, with a session and with a token.
  const { token: apiToken } = Object(
    await (
      await sent(`${server.services}/admin/v1/operators/ops/tokens`, 'POST', csrf, {
        name: 'console',
        grants: [{ role: 'operator' }],
        lifetimeDays: 1,
      })
    ).json(),
  )
  const weekly = { name: 'weekly', type: 'Disk_Image', selection: ['%All%'] }
  await sent(`${backups}/backupsets`, 'POST', csrf, weekly)
  const byToken = { authorization: `Bearer ${apiToken}` }
  await sent(`${backups}/backupsets`, 'POST', byToken, { ...weekly, name: 'monthly' })

  const newPassword = 'another long enough password'
  await sent(`${server.services}/admin/v1/operators`, 'POST', csrf, {
    username: 'eve',
    password: 'first-long-enough',
    grants: [],
  })
  const eve = await sent(
    `${server.services}/admin/v1/session`,
    'POST',
    {},
    {
      username: 'eve',
      password: 'first-long-enough',
    },
  )
  const ofEve = {
    cookie: eve.headers.get('set-cookie')?.split(';')[0] ?? '',
    'x-csrf-token': Object(await eve.json()).csrfToken,
  }
  await sent(`${server.services}/admin/v1/operators/eve/password`, 'POST', ofEve, {
    currentPassword: 'first-long-enough',
    newPassword,
  })

  const exported = await fetch(`${server.services}/admin/v1/audit-export`, { headers: { cookie } })
  const text = await exported.text()
  const entries = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  const summaries = entries.map(
    ({ service, actorKind, actor, action }) => `${service} ${actorKind} ${actor} ${action}`,
  )
  for (const expected of [
    'firewall administrator admin addService',
    'firewall administrator admin addUser',
    'backup client automation createBackupSet',
    'backup client automation revokeCredential',
    'email client automation reportDomainMail',
    'backup operator ops createBackupSet',
    'backup token ops/console createBackupSet',
    'administration operator ops logIn',
    'firewall operator ops tokenOfFirewallAdministrator',
  ]) {
    assert.ok(summaries.includes(expected), `${expected} is not among\n${summaries.join('\n')}`)
  }
  assert.equal(summaries.filter((entry) => entry.endsWith('createOperator')).length, 1)
  const change = (action: string) => {
    const entry = entries.find((one) => one.service === 'backup' && one.action === action)
    return [entry?.before, entry?.after]
  }
  const [noSet, set] = change('createBackupSet')
  assert.deepEqual([noSet, set.name, set.enabled], [null, 'nightly', true])
  const shutOut = { isEnrolmentKeyOpen: false, isEnrolled: false }
  assert.deepEqual(change('revokeCredential'), [{ ...shutOut, isEnrolmentKeyOpen: true }, shutOut])
  assert.equal(summaries.filter((entry) => entry.endsWith('eve passwordOfOperator')).length, 1)
  assert.ok(!text.includes(newPassword) && !text.includes('first-long-enough'))
  assert.ok(!text.includes(apiToken))
  assert.ok(!text.includes(JSON.stringify(token).slice(1, 40)))
  assert.doesNotMatch(text, /S3cret-of|backup secret|email secret|long enough|correct horse/)
  await server.remove()
})
