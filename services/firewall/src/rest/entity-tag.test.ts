import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEveryStore, send } from '@palisade/platform/testing'
import { basic, logIn } from '../testing/client.ts'
import { serveFirewall } from '../testing/firewall.ts'

onEveryStore('versions of objects', (newStore) => {
  test('keep two administrators from undoing each other’s changes', async (t) => {
    const store = await newStore()
    const served = await serveFirewall({ store })
    t.after(() => served.close())
    const { token, call, get } = await logIn(served.baseUrl)
    const change = (method: string, path: string, ifMatch: string, body?: object) =>
      send(`${served.baseUrl}/restapi/v3.2/${path}`, {
        method,
        headers: { ...basic(`${token}:`), 'if-match': ifMatch },
        ...(body ? { body } : {}),
      })
    const tagOf = async (path: string) => String((await get(path)).headers.etag)

    const created = await call('POST', 'services', { name: 'shop' })
    const first = await tagOf('services/shop')
    assert.match(first, /^"\d+"$/)
    assert.equal(created.headers.etag, first)
    const mine = await change('PUT', 'services/shop', first, { port: 81 })
    assert.equal(mine.status, 200)
    assert.equal(mine.headers.etag, await tagOf('services/shop'))
    const theirs = await change('PUT', 'services/shop', first, { port: 82 })
    assert.deepEqual([theirs.status, theirs.json.error.type], [412, 'changed-meanwhile'])
    assert.match(theirs.json.msg, /service "shop" is not the one that If-Match expects/)
    assert.equal((await change('PUT', 'services/shop/url-encryption', first, { status: 'On' })).status, 412)
    assert.equal((await change('DELETE', 'services/shop', first)).status, 412)

    const current = await tagOf('services/shop/url-encryption')
    await call('POST', 'services/shop/servers', { name: 'one', 'ip-address': '192.0.2.1' })
    assert.equal(await tagOf('services/shop'), current, 'what lies inside has versions of its own')
    await call('PUT', 'services/shop', {})
    assert.equal(await tagOf('services/shop'), current, 'what changes nothing is no version')
    const restarted = await serveFirewall({ store })
    t.after(() => restarted.close())
    const again = (await (await logIn(restarted.baseUrl)).get('services/shop')).headers.etag
    assert.equal(again, current, 'versions survive a restart')

    for (const ifMatch of [`"0", ${current}`, `W/${current}`, '*']) {
      const { status } = await change('PUT', 'services/shop', ifMatch, {})
      assert.equal(status, 200, ifMatch)
    }
    assert.equal((await change('DELETE', 'services/shop', current)).status, 200)
    await call('POST', 'services', { name: 'shop' })
    assert.equal(
      (await change('PUT', 'services/shop', current, { port: 81 })).status,
      412,
      'it is another one',
    )
    assert.equal((await change('POST', 'services', '*', { name: 'new' })).status, 412, 'it is not there yet')
  })

  test('of the factory’s objects start with 0', async (t) => {
    const served = await serveFirewall({ store: await newStore() })
    t.after(() => served.close())
    const { get, call } = await logIn(served.baseUrl)
    assert.equal((await get('vsites/default')).headers.etag, '"0"')
    await call('PUT', 'vsites/default', { comments: 'changed' })
    assert.notEqual((await get('vsites/default')).headers.etag, '"0"')
  })
})
