import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEveryStore } from '@palisade/platform/testing'
import { logIn } from '../testing/client.ts'
import { serveFirewall } from '../testing/firewall.ts'

onEveryStore('what a proxy would run on requests', (newStore) => {
  test('refuses regular expressions that cannot be run in bounded time, and names the member', async () => {
    const served = await serveFirewall({ store: await newStore() })
    try {
      const client = await logIn(served.baseUrl)
      const service = { name: 'shop', 'ip-address': '192.0.2.10', port: 80 }
      assert.equal((await client.call('POST', 'services', service)).status, 201)
      assert.equal((await client.call('POST', 'attack-types', { name: 'own' })).status, 201)
      const rule = { name: 'slow', 'sequence-number': 1, action: 'Rewrite URL', 'rewrite-value': '/x' }
      const bodies: readonly (readonly [string, string, Record<string, unknown>])[] = [
        [
          'services/shop/content-rules',
          'extended-match',
          { name: 'slow', 'host-match': '*', 'url-match': '/*', 'extended-match': '(URI rco "(a{900}){9}")' },
        ],
        [
          'services/shop/http-request-rewrite-rules',
          'condition',
          { ...rule, condition: 'URI req "(a{900}){9}"' },
        ],
        ['services/shop/http-request-rewrite-rules', 'old-value', { ...rule, 'old-value': '(ab){20}' }],
        ['attack-types/own/attack-patterns', 'regex', { name: 'slow', regex: '([a-z]{40}){60}' }],
      ]
      let ran = 0
      for (const [path, member, body] of bodies) {
        const refused = await client.call('POST', path, body)
        assert.equal(refused.status, 406, `${path} ${refused.text}`)
        assert.match(refused.text, new RegExp(`The member ${member} cannot be used: .*bounded time`))
        ran++
      }
      assert.equal(ran, 4)
      const message = {
        name: 'quick',
        'host-match': '*',
        'url-match': '/*',
        'extended-match': '(URI rco "^/redos/([a-z]+ ?)+[0-9]{1,20}$")',
      }
      const reply = await client.call('POST', 'services/shop/content-rules', message)
      assert.equal(reply.status, 201, reply.text)
    } finally {
      await served.close()
    }
  })
})
