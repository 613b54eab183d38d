import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { onEveryStore, send } from '@palisade/platform/testing'
import { basic, type Client, logIn } from '../testing/client.ts'
import { serveFirewall } from '../testing/firewall.ts'

onEveryStore('two servers on one store', (newStore) => {
  /** Logs in at two servers, which follow each other's changes within a second only. */
  async function logInTwice(t: TestContext): Promise<readonly [Client, Client]> {
    const store = await newStore()
    const [one, two] = [await serveFirewall({ store }), await serveFirewall({ store })]
    t.after(() => Promise.all([one.close(), two.close()]))
    return [await logIn(one.baseUrl), await logIn(two.baseUrl)]
  }

  const commentsAt = async ({ get }: Client, name: string): Promise<unknown> =>
    (await get(`services/${name}`)).json.data[name].comments

  test('a change that would be none on the older copy is made all the same', async (t) => {
    const [one, two] = await logInTwice(t)
    await one.call('POST', 'services', { name: 'shop', comments: 'old' })
    await two.call('PUT', 'services/shop', { comments: 'old' })
    for (let round = 0; round < 10; round++) {
      assert.equal((await one.call('PUT', 'services/shop', { comments: 'new' })).status, 200)
      assert.equal((await two.call('PUT', 'services/shop', { comments: 'old' })).status, 200)
      assert.equal(await commentsAt(two, 'shop'), 'old', `round ${round}`)
      // The first server decides on the newest version, too, before it calls a change none.
      assert.equal((await one.call('PUT', 'services/shop', { comments: 'old' })).status, 200)
      assert.equal(await commentsAt(one, 'shop'), 'old', `round ${round}`)
    }
  })

  test('an entity tag of before is refused also where the change would be none', async (t) => {
    const [one, two] = await logInTwice(t)
    await one.call('POST', 'services', { name: 'shop', comments: 'old' })
    for (let round = 0; round < 5; round++) {
      await two.call('PUT', 'services/shop', { comments: 'old' })
      const { headers } = await two.get('services/shop')
      const etag = String(headers.etag)
      assert.notEqual(etag, '')
      assert.equal((await one.call('PUT', 'services/shop', { comments: 'new' })).status, 200)
      const late = await send(`${two.root}/services/shop`, {
        method: 'PUT',
        headers: { ...basic(`${two.token}:`), 'if-match': etag },
        body: { comments: 'old' },
      })
      assert.equal(late.status, 412, `round ${round}`)
      assert.equal(await commentsAt(two, 'shop'), 'new', `round ${round}`)
    }
  })

  test('what one server made and deleted is there and gone for the other at once', async (t) => {
    const [one, two] = await logInTwice(t)
    for (let round = 0; round < 6; round++) {
      const name = `shop${round}`
      assert.equal((await one.call('POST', 'services', { name })).status, 201)
      const server = { name: 'first', 'ip-address': '192.0.2.10', port: 80 }
      const added = await two.call('POST', `services/${name}/servers`, server)
      assert.equal(added.status, 201, JSON.stringify(added.json))
      assert.equal((await one.get(`services/${name}/servers/first`)).status, 200)
      assert.equal((await one.call('DELETE', `services/${name}`)).status, 200)
      assert.equal((await two.call('POST', 'services', { name })).status, 201)
      assert.equal((await one.call('DELETE', `services/${name}`)).status, 200)
    }
  })

  test('what one server made is there for all who ask the other at the same moment', async (t) => {
    const [one, two] = await logInTwice(t)
    for (let round = 0; round < 3; round++) {
      const name = `shop${round}`
      assert.equal((await one.call('POST', 'services', { name })).status, 201)
      const replies = await Promise.all(Array.from({ length: 8 }, () => two.get(`services/${name}`)))
      assert.deepEqual(
        replies.map(({ status }) => status),
        Array(8).fill(200),
      )
    }
  })
})
