import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { bearer } from './support/programs/calls.ts'
import { NameServer } from './support/programs/name-server.ts'
import { notInstalled } from './support/programs/not-installed.ts'
import { cleanUp, provisioned } from './support/programs/server.ts'
import { WatchedServer } from './support/programs/watched-server.ts'

after(cleanUp)

test('a domain that was never verified, and one that lost its record, are told of until DNS shows it', {
  skip: notInstalled('/usr/sbin/dnsmasq'),
}, async () => {
  const dns = await NameServer.start()
  const [account] = provisioned.email.accounts
  const watched = await WatchedServer.start({
    ...provisioned,
    email: {
      ...provisioned.email,
      accounts: [
        { ...account, domains: [{ id: 4, name: 'shop.example', status: 'UNVERIFIED', type: 'ESS' }] },
      ],
      verification: { nameServers: [`127.0.0.1:${dns.port}`] },
    },
  })
  const { server } = watched
  const headers = await bearer(server, 'email')
  const of = `${server.services}/email/beta/accounts/5584599/ess/domains/4/verification`
  /** Has DNS asked, as if a minute had gone by since it was asked. */
  const check = async (isFirst = false) => {
    if (!isFirst) watched.setBack('UPDATE email_verification SET taken_at = taken_at - 60000')
    const reply = await fetch(`${of}/check`, { method: 'POST', headers })
    assert.equal(reply.status, 200, await reply.text())
  }

  await check(true)
  const unverified = await watched.raised('domain-unverified')
  assert.deepEqual([unverified.service, unverified.subject], ['email', 'domain 5584599/shop.example'])
  const verification: { records: { type: string; name: string; value: string }[] } = Object(
    await (await fetch(of, { headers })).json(),
  )
  const records = verification.records.flatMap(({ type, name, value }) =>
    type === 'TXT' ? [`${name},${value}`] : [],
  )
  assert.equal(records.length, 1)
  await dns.serve(records)
  await check()
  await watched.resolved(unverified)

  await dns.serve([])
  await check()
  const lost = await watched.raised('domain-record-missing')
  assert.match(lost.message, /^The domain will lose its verification: /)
  await dns.serve(records)
  await check()
  await watched.resolved(lost)
  await watched.stop()
  await dns.stop()
})
