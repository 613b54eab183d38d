import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEveryStore, send } from '@palisade/platform/testing'
import { pageRowsMax } from './campaigns.ts'
import {
  campaign,
  credentials,
  powerless,
  refusalOf,
  serveAwareness,
  type TestService,
} from './test-service.ts'

const launched = campaign(20, {
  name: 'Parcel',
  status: 'Completed',
  created: '2029-11-30 08:00:00',
  launched: '2029-12-01 09:30:00',
  completed: '2029-12-31 23:59:59',
  sent: 100,
  opened: 60,
  clicked: 12,
  submitted: 3,
  reported: 25,
})
const campaigns = [campaign(3), launched, campaign(7, { name: 'Gehaltserhöhung 🙂', status: 'Queued' })]

onEveryStore('GET {base_url}/campaigns', (newStore) => {
  let served: TestService
  let token: string
  before(async () => {
    served = await serveAwareness(await newStore(), { configuration: { campaigns } })
    token = await served.tokenFor(credentials)
  })
  after(() => served.close())

  const ids = ({ json }: { json: { data: { id: number }[] } }) => json.data.map(({ id }) => id)

  test('refuses a user without the permission, before anything is told', async () => {
    const weak = await served.tokenFor(powerless)
    for (const path of ['/campaigns', '/campaigns/3', '/campaigns/9', '/campaigns/3/x']) {
      const { status, json, headers } = await served.get(path, weak)
      assert.equal(status, 403, path)
      assert.deepEqual(json, refusalOf(403, 'Forbidden', 'The user lacks the permission campaigns.'))
      assert.equal(headers['www-authenticate'], 'Bearer realm="awareness", error="insufficient_scope"')
    }
  })

  test('answers 404 for a campaign that is not there, before it looks at afterid', async () => {
    for (const id of [
      '1',
      '8',
      'x',
      '-3',
      '3.0',
      '3e0',
      '0x3',
      '%203',
      '3%20',
      '%00',
      '9'.repeat(15),
      '9'.repeat(40),
    ]) {
      for (const path of [`/campaigns/${id}`, `/campaigns/${id}/x`]) {
        const { status, json } = await served.get(path, token)
        assert.deepEqual(
          [status, json],
          [404, refusalOf(404, 'NotFound', 'There is no such campaign.')],
          path,
        )
      }
    }
  })

  test('refuses an afterid that is no integer', async () => {
    for (const afterId of ['x', '-1', '1.5', '1e3', '%00', '%20', '9'.repeat(16)]) {
      for (const id of ['0', '3']) {
        const { status, json } = await served.get(`/campaigns/${id}/${afterId}`, token)
        const reason = 'afterid must be an integer, the maxIdReturned of the page before.'
        assert.deepEqual([status, json], [400, refusalOf(400, 'BadRequest', reason)], afterId)
      }
    }
  })

  test('answers unknown addresses and methods in the envelope', async () => {
    for (const path of ['/campaign', '/campaigns/3/0/0', '/Campaigns', '/']) {
      const { status, json } = await served.get(path, token)
      assert.deepEqual([status, json.statusMessage], [404, 'NotFound'], path)
    }
    for (const path of ['/campaigns', '/campaigns/3', '/campaigns/3/0']) {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        const { status, json, headers } = await send(`${served.baseUrl}${path}`, { method })
        assert.deepEqual([status, json.statusMessage, headers.allow], [405, 'MethodNotAllowed', 'GET'])
      }
    }
    const undecodable = await served.get('/campaigns/%zz', token)
    assert.deepEqual(undecodable.json, refusalOf(400, 'BadRequest', 'The request could not be understood.'))
  })

  test('lists all by id in the envelope, member for member, with the real expiry in UTC', async () => {
    const fresh = await serveAwareness(await newStore(), { configuration: { campaigns } })
    const { status, text, headers } = await fresh.get('/campaigns', await fresh.tokenFor(credentials))
    assert.equal(status, 200)
    assert.equal(headers['cache-control'], 'private, no-store')
    assert.equal(
      text,
      JSON.stringify({
        status: 200,
        statusMessage: 'OK',
        statusDetails: { 'Total Results': 3 },
        entity: 'campaign',
        jobid: 0,
        notifications: {
          'API Token Expiration Date': '2030-01-02 00:00:00',
          'Maximum API calls per hour': 1000,
          'Your API calls in the last hour': 2,
        },
        totalRowCount: 3,
        remainingRowCount: 0,
        maxIdReturned: 20,
        data: [campaigns[0], campaigns[2], launched],
      }),
    )
    await fresh.close()
  })

  test('takes a single segment for a campaign, and 0 for all of them', async () => {
    const one = await served.get('/campaigns/20', token)
    assert.deepEqual(one.json.data, [launched])
    assert.deepEqual([one.status, one.json.totalRowCount, one.json.maxIdReturned], [200, 1, 20])
    assert.deepEqual(one.json.statusDetails, { 'Total Results': 1 })
    for (const path of ['/campaigns', '/campaigns/', '/campaigns/0', '/campaigns/0/0', '/campaigns/00']) {
      assert.deepEqual(ids(await served.get(path, token)), [3, 7, 20], path)
    }
    assert.deepEqual(ids(await served.get('/campaigns/7/6', token)), [7])
    assert.deepEqual(ids(await served.get('/campaigns/7/7', token)), [])
  })

  test('goes on after afterid, and stays where it was at the end', async () => {
    const cases: [afterId: string, expected: number[], maxId: number][] = [
      ['2', [3, 7, 20], 20],
      ['3', [7, 20], 20],
      ['19', [20], 20],
      ['20', [], 20],
      ['999999999999999', [], 999_999_999_999_999],
    ]
    for (const [afterId, expected, maxId] of cases) {
      const reply = await served.get(`/campaigns/0/${afterId}`, token)
      assert.deepEqual([reply.status, ids(reply)], [200, expected], afterId)
      const { totalRowCount, remainingRowCount, maxIdReturned } = reply.json
      assert.deepEqual([totalRowCount, remainingRowCount, maxIdReturned], [3, 0, maxId])
    }
  })

  test('takes the largest id that a campaign may have, and goes on after it', async () => {
    const largest = [campaign(10 ** 15), campaign(Number.MAX_SAFE_INTEGER)]
    const fresh = await serveAwareness(await newStore(), { configuration: { campaigns: largest } })
    const bound = await fresh.tokenFor(credentials)
    for (const { id } of largest) assert.deepEqual(ids(await fresh.get(`/campaigns/${id}`, bound)), [id])
    const [first, last] = largest.map(({ id }) => id)
    assert.deepEqual(ids(await fresh.get(`/campaigns/0/${first}`, bound)), [last])
    assert.deepEqual(ids(await fresh.get(`/campaigns/0/${last}`, bound)), [])
    await fresh.close()
  })

  test('answers 206 PartialContent for each page of 5,000 but the last', async () => {
    const many = Array.from({ length: 2 * pageRowsMax + 1 }, (_, index) => campaign(2 * index + 1))
    const large = await serveAwareness(await newStore(), { configuration: { campaigns: many } })
    const bound = await large.tokenFor(credentials)
    const visited: number[] = []
    const pages: unknown[] = []
    for (let path = '/campaigns', more = true; more; ) {
      const reply = await large.get(path, bound)
      const { status, statusMessage, totalRowCount, remainingRowCount, maxIdReturned } = reply.json
      assert.equal(reply.status, status)
      pages.push([status, statusMessage, totalRowCount, remainingRowCount])
      visited.push(...ids(reply))
      path = `/campaigns/0/${maxIdReturned}`
      more = remainingRowCount > 0
    }
    assert.deepEqual(pages, [
      [206, 'PartialContent', 10_001, 5001],
      [206, 'PartialContent', 10_001, 1],
      [200, 'OK', 10_001, 0],
    ])
    assert.deepEqual(
      visited,
      many.map(({ id }) => id),
    )
    await large.close()
  })
})
