import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { SnapshotAccessLimits } from '@palisade/proxy-protocol'
import { carried } from '../../testing/carried.ts'
import { testChecks, testPolicy } from '../../testing/policies.ts'
import { emptyRuleSets } from '../../testing/rules.ts'

async function limitedBy(t: TestContext, limits: Partial<SnapshotAccessLimits>) {
  const accessLimits: SnapshotAccessLimits = {
    windowSeconds: 600,
    counts: 'each-client',
    accesses: 0,
    failures: 0,
    bandwidthBytes: 0,
    exceptions: [],
    ...limits,
  }
  const place = { host: '*', url: '/login', extendedMatch: '*', sequence: 1 }
  const { port, exchanges } = await carried(t, {
    application: (request, response) => {
      if (request.headers['x-password'] === 'wrong') {
        response.statusCode = 401
        response.write('Sorry, that was wro')
        setTimeout(() => response.end('ng.'), 5)
      } else response.end('welcome')
    },
    service: {
      inspection: { mode: 'active' },
      checks: testChecks({
        clientAddressHeader: 'x-client',
        urlPolicies: [{ name: 'login', ...place, isPassive: false, protectsData: false, accessLimits }],
      }),
    },
    rules: emptyRuleSets,
    policy: testPolicy(),
  })
  const ask = async (headers: Record<string, string> = {}, path = '/login') => {
    const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
      headers: { 'x-client': '192.0.2.1', ...headers },
    })
    await reply.arrayBuffer()
    return reply.status
  }
  return { ask, lastAttack: () => exchanges.at(-1)?.violations[0]?.attack }
}

test('a client may come so often, and only there', async (t) => {
  const { ask, lastAttack } = await limitedBy(t, { accesses: 2, exceptions: ['192.0.2.100'] })
  assert.deepEqual([await ask(), await ask({}, '/LOGIN'), await ask()], [200, 200, 403])
  assert.equal(lastAttack(), 'brute-force-from-ip')
  assert.equal(await ask({}, '/other'), 200)
  assert.equal(await ask({ 'x-client': '192.0.2.2' }), 200)
  for (let count = 0; count < 4; count++) assert.equal(await ask({ 'x-client': '192.0.2.100' }), 200)
})

test('all clients together may come so often', async (t) => {
  const { ask, lastAttack } = await limitedBy(t, { accesses: 2, counts: 'all-clients' })
  const statuses: number[] = []
  for (const client of ['192.0.2.1', '192.0.2.2', '192.0.2.3'])
    statuses.push(await ask({ 'x-client': client }))
  assert.deepEqual(statuses, [200, 200, 403])
  assert.equal(lastAttack(), 'brute-force-from-all-sources')
})

test('so many log-ins may fail, by the status or by what the page says', async (t) => {
  const wrong = { 'x-password': 'wrong' }
  for (const failureText of [undefined, 'that was wrong']) {
    const { ask } = await limitedBy(t, { failures: 2, ...(failureText ? { failureText } : {}) })
    assert.deepEqual([await ask(), await ask(), await ask()], [200, 200, 200])
    assert.deepEqual(
      [await ask(wrong), await ask(wrong), await ask(wrong), await ask()],
      [401, 401, 403, 403],
    )
  }
})

test('so many bytes may be sent', async (t) => {
  const { ask } = await limitedBy(t, { bandwidthBytes: 14 })
  assert.deepEqual([await ask(), await ask(), await ask()], [200, 200, 403])
})
