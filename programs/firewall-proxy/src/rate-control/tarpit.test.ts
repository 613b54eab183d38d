import assert from 'node:assert/strict'
import { test } from 'node:test'
import { carried } from '../testing/carried.ts'
import { testChecks, testPolicy } from '../testing/policies.ts'
import { emptyRuleSets } from '../testing/rules.ts'

test('a client in the tarpit waits for each answer, with so many requests, and others are served', async (t) => {
  const { port, exchanges } = await carried(t, {
    application: (_, response) => response.end('reached'),
    service: { inspection: { mode: 'active' }, checks: testChecks({ clientAddressHeader: 'x-client' }) },
    rules: emptyRuleSets,
    policy: testPolicy({
      globalAcls: [
        {
          name: 'trap',
          host: '*',
          url: '/trap',
          extendedMatch: '*',
          sequence: 1,
          does: 'deny',
          logs: true,
          denial: { kind: 'page', page: { status: 403, headers: {}, body: 'no' } },
          followUp: { does: 'tarpit', seconds: 600 },
        },
      ],
      tarpit: { delaySeconds: 1, backlogMax: 1, silenceSeconds: 600 },
    }),
  })
  const ask = async (path: string, client = '192.0.2.1') =>
    (await fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'x-client': client } })).status
  assert.equal(await ask('/trap'), 403)
  assert.equal(exchanges[0]?.violations[0]?.followUp, 'Tarpit Client')
  const begunAt = performance.now()
  const first = ask('/')
  await new Promise((resolve) => setTimeout(resolve, 100))
  await assert.rejects(ask('/'))
  assert.equal(await ask('/', '192.0.2.2'), 200)
  assert.equal(await first, 200)
  assert.ok(performance.now() - begunAt >= 990)
})
