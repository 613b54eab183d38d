import assert from 'node:assert/strict'
import { test } from 'node:test'
import { carried } from '../testing/carried.ts'
import { testChecks, testPolicy } from '../testing/policies.ts'
import { emptyRuleSets } from '../testing/rules.ts'

test('requests from pages of advertisers are refused, but for pages that are excepted', async (t) => {
  const pattern = { type: 'spam', regex: 'https?://[^/]*casino', isCaseSensitive: false }
  const { port, exchanges } = await carried(t, {
    application: (_, response) => response.end('reached'),
    service: {
      inspection: { mode: 'active' },
      checks: testChecks({
        refererSpam: {
          patterns: [
            { ...pattern, name: 'casino', isPassive: false },
            { ...pattern, name: 'quiet', regex: 'lottery', isPassive: true },
          ],
          exceptions: ['https://casino.example/*'],
        },
      }),
    },
    rules: emptyRuleSets,
    policy: testPolicy(),
  })
  const from = async (referer?: string) =>
    (await fetch(`http://127.0.0.1:${port}/`, referer === undefined ? {} : { headers: { referer } })).status
  assert.equal(await from('http://best-CASINO.test/'), 403)
  assert.equal(exchanges.at(-1)?.violations[0]?.attack, 'referer-spam')
  assert.equal(await from('http://lottery.test/'), 200)
  assert.equal(exchanges.at(-1)?.violations[0]?.action, 'LOG')
  for (const referer of [undefined, 'https://casino.example/x', 'https://shop.example/casino'])
    assert.equal(await from(referer), 200, referer)
})
