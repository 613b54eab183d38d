import assert from 'node:assert/strict'
import { test } from 'node:test'
import { carried } from '../testing/carried.ts'
import { testChecks, testPolicy } from '../testing/policies.ts'
import { emptyRuleSets } from '../testing/rules.ts'

const token = { by: 'whole', startDelimiter: '=', endDelimiter: ';' } as const

test('a client may begin so many sessions, and goes on with those that it has', async (t) => {
  let count = 0
  const { port, exchanges } = await carried(t, {
    application: (request, response) => {
      if (request.headers.cookie === undefined) response.setHeader('set-cookie', `SID=${++count}; Path=/`)
      response.end('reached')
    },
    service: {
      inspection: { mode: 'active' },
      checks: testChecks({
        sessions: {
          windowSeconds: 600,
          sessions: 2,
          tokens: [
            { ...token, in: 'cookie', name: 'sid' },
            { ...token, in: 'path', name: 'jsessionid' },
          ],
          exceptions: [],
        },
      }),
    },
    rules: emptyRuleSets,
    policy: testPolicy(),
  })
  const get = async (path = '/', cookie?: string) =>
    (await fetch(`http://127.0.0.1:${port}${path}`, cookie === undefined ? {} : { headers: { cookie } }))
      .status
  assert.equal(await get(), 200)
  assert.equal(await get('/x;jsessionid=7;y'), 200)
  assert.equal(await get(), 403)
  assert.equal(await get('/', 'other=1; SID=1'), 200)
  assert.equal(await get('/z;jsessionid=7'), 200)
  assert.equal(await get('/', 'SID=made-up'), 403)
  assert.equal(exchanges.at(-1)?.violations[0]?.attack, 'too-many-sessions-for-ip')
})
