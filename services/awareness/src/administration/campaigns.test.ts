import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { AdministeredService } from '@palisade/administration/testing'
import { onEveryStore } from '@palisade/platform/testing'
import { campaign, credentials, serveAwareness, type TestService } from '../test-service.ts'

onEveryStore('campaigns of awareness', (newStore) => {
  let awareness: AdministeredService<TestService>
  before(async () => {
    const store = await newStore()
    const service = await serveAwareness(store, { configuration: { campaigns: [] } })
    awareness = await AdministeredService.serve(store, '/awareness', service)
  })
  after(() => awareness.close())

  const listed = async () => {
    const token = await awareness.service.tokenFor(credentials)
    return (await awareness.service.get('/campaigns', token)).json.data
  }

  test('a new campaign is listed to those with a token, as it was made and as it was changed', async () => {
    const { id: _, ...members } = campaign(1, { name: 'first', launched: '2030-01-31 23:59:59', sent: 7 })
    const created = await awareness.send('POST', '/campaigns', members)
    assert.equal(created.status, 201, created.text)
    assert.deepEqual(created.json, { id: 1, ...members, managedBy: null })
    assert.deepEqual(await listed(), [{ id: 1, ...members }])

    const change = { status: 'Completed', launched: null, reported: 3 }
    const { etag = '' } = created.headers
    const changed = await awareness.send('PATCH', '/campaigns/1', change, { 'if-match': etag })
    assert.deepEqual(changed.json, { ...created.json, ...change })
    assert.equal((await awareness.send('PATCH', '/campaigns/1', change, { 'if-match': etag })).status, 412)
    assert.deepEqual(await listed(), [{ id: 1, ...members, ...change }])

    const next = await awareness.send('POST', '/campaigns', { name: 'second' })
    assert.deepEqual(next.json, { ...campaign(2, { name: 'second' }), managedBy: null })
    const preview = await awareness.send('DELETE', '/campaigns/1?preview=true')
    assert.deepEqual(preview.json, { losses: ['what became of 7 messages'] })
    assert.equal((await awareness.send('DELETE', '/campaigns/1')).status, 204)
    assert.deepEqual(await listed(), [campaign(2, { name: 'second' })])
  })

  test('what makes no sense is refused with the member at fault', async () => {
    const wrong: readonly [object, string][] = [
      [{}, 'name'],
      [{ name: 'nul\0' }, 'name'],
      [{ name: 'x'.repeat(256) }, 'name'],
      [{ name: 'x', id: 0 }, 'id'],
      [{ name: 'x', id: 2 ** 53 }, 'id'],
      [{ name: 'x', status: 'Lost' }, 'status'],
      [{ name: 'x', launched: '2030-02-30 00:00:00' }, 'launched'],
      [{ name: 'x', created: 'yesterday' }, 'created'],
      [{ name: 'x', sent: -1 }, 'sent'],
    ]
    for (const [body, parameter] of wrong) {
      const { status, json } = await awareness.send('POST', '/campaigns', body)
      assert.deepEqual([status, json.parameter], [400, parameter], JSON.stringify([body, json]))
    }
    const { json } = await awareness.send('POST', '/campaigns', {
      name: 'x',
      launched: '2030-02-30 00:00:00',
    })
    assert.match(JSON.stringify(json), /launched must be a moment that exists, such as/)
    assert.equal((await awareness.send('POST', '/campaigns', { id: 50, name: 'x' })).status, 201)
    const twice = await awareness.send('POST', '/campaigns', { id: 50, name: 'y' })
    assert.deepEqual([twice.status, twice.json.parameter], [409, 'id'])
    for (const id of ['51', '0', 'x', '-1', '1e3', '9'.repeat(30)]) {
      assert.equal((await awareness.send('GET', `/campaigns/${id}`)).status, 404, id)
    }
  })

  test('a listing is in the order of ids or names, and of one status', async () => {
    for (const [id, name, status] of [
      [101, 'page c', 'Queued'],
      [102, 'page B', 'Queued'],
      [103, 'page a', 'Completed'],
    ] as const) {
      await awareness.send('POST', '/campaigns', { id, name, status })
    }
    const pages = async (query: string) => {
      const ids: number[] = []
      for (let after = ''; ; ) {
        const { status, json, text } = await awareness.send(
          'GET',
          `/campaigns?name=page&limit=1&${query}${after}`,
        )
        assert.equal(status, 200, text)
        ids.push(...json.items.map(({ id }: { id: number }) => id))
        if (json.next === null) return ids
        after = `&after=${json.next}`
      }
    }
    assert.deepEqual(await pages(''), [101, 102, 103])
    assert.deepEqual(await pages('order=-id'), [103, 102, 101])
    assert.deepEqual(await pages('order=name'), [102, 103, 101])
    assert.deepEqual(await pages('order=-name&status=Queued'), [101, 102])
    assert.deepEqual(await pages('status=Lost'), [])
    const forged = Buffer.from(JSON.stringify(['id', 'x', 'x'])).toString('base64url')
    const refused = await awareness.send('GET', `/campaigns?after=${forged}`)
    assert.deepEqual([refused.status, refused.json.parameter], [400, 'after'])
  })

  test('a file manages the campaigns that it names', async () => {
    const store = await newStore()
    const service = await serveAwareness(store, {
      configurationFile: 'palisade.yaml',
      configuration: { campaigns: [campaign(1)] },
    })
    const managed = await AdministeredService.serve(store, '/awareness', service)
    assert.equal((await managed.send('GET', '/campaigns/1')).json.managedBy, 'palisade.yaml')
    assert.equal((await managed.send('PATCH', '/campaigns/1', { sent: 1 })).status, 409)
    assert.equal((await managed.send('DELETE', '/campaigns/1')).status, 409)
    await managed.close()
    const again = await AdministeredService.serve(
      store,
      '/awareness',
      await serveAwareness(store, { configuration: { campaigns: [] } }),
      managed.administration.owner,
    )
    assert.equal((await again.send('GET', '/campaigns/1')).json.managedBy, null)
    await again.close()
  })
})
