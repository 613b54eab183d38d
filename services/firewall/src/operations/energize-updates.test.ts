import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEveryStore } from '@palisade/platform/testing'
import { logIn } from '../testing/client.ts'
import { serveFirewall } from '../testing/firewall.ts'

onEveryStore('updates of definitions', (newStore) => {
  test('are none: asking is answered, applying is refused, and unknown types are named', async () => {
    const served = await serveFirewall({ store: await newStore() })
    const { call } = await logIn(served.baseUrl)
    for (const type of ['attackdef', 'GeoIPdef', 'secdef', 'virusdef']) {
      const reply = await call('POST', 'energize-updates/check-for-update', { type })
      assert.deepEqual([reply.status, /No update of \w+ is available/.test(reply.json.msg)], [200, true])
      const applied = await call('POST', 'energize_updates/apply_update', { type })
      assert.deepEqual([applied.status, /There is no update/.test(applied.json.msg)], [400, true])
    }
    for (const verb of ['check-for-update', 'apply-update']) {
      for (const body of [{}, { type: 'firmware' }, { type: 'secdef', now: 'Yes' }]) {
        assert.equal((await call('POST', `energize-updates/${verb}`, body)).status, 406)
      }
    }
    assert.equal((await call('GET', 'energize-updates/apply-update')).status, 405)
    await served.close()
  })
})
