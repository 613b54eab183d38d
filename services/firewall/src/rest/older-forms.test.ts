import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEveryStore, type ReceivedReply, type ServedService, send } from '@palisade/platform/testing'
import { basic, logIn } from '../testing/client.ts'
import { serveFirewall } from '../testing/firewall.ts'

/** The headers of a page as a list of lines, and as one text. */
const lines = ['Content-Type: text/html', 'X-Page: a, b']
const text = lines.join('\n')

onEveryStore('members that versions before v3.2 have in another form', (newStore) => {
  let served: ServedService
  let at: (version: string) => (method: string, path: string, body?: object) => Promise<ReceivedReply>
  before(async () => {
    served = await serveFirewall({ store: await newStore() })
    const { token } = await logIn(served.baseUrl)
    at = (version) => (method, path, body) =>
      send(`${served.baseUrl}/restapi/${version}/${path}`, {
        method,
        headers: basic(`${token}:`),
        ...(body === undefined ? {} : { body }),
      })
  })
  after(() => served.close())

  const page = async (version: string, path: string) => (await at(version)('GET', path)).json.data.page

  test('are taken in either form by every version, and shown in the form of the version that asks', async () => {
    for (const version of ['v3', 'v3.1', 'v3.2']) {
      for (const headers of [lines, text]) {
        const body = { name: 'page', 'status-code': '200 OK', headers }
        assert.equal((await at(version)('POST', 'response-pages', body)).status, 201)
        for (const path of ['response-pages', 'response-pages/page', 'response-pages?parameters=headers']) {
          assert.deepEqual((await page('v3', path)).headers, lines, path)
          assert.deepEqual((await page('v3.1', path)).headers, lines, path)
          assert.equal((await page('v3.2', path)).headers, text, path)
        }
        assert.equal((await at(version)('DELETE', 'response-pages/page')).status, 200)
      }
    }
  })

  test('have their default again where nothing is given, in either form', async () => {
    for (const headers of [[], '']) {
      await at('v3')('POST', 'response-pages', { name: 'page', 'status-code': '200 OK', headers: lines })
      assert.equal((await at('v3')('PUT', 'response-pages/page', { headers })).status, 200)
      assert.deepEqual((await page('v3', 'response-pages/page')).headers, [
        'Content-Type: text/html; charset=utf-8',
      ])
      await at('v3')('DELETE', 'response-pages/page')
    }
  })

  test('hold what every version may give, and nothing else', async () => {
    const refused = [[1, 2], [['a', 'b'], 'c'], [{}], { a: 1 }, ['x'.repeat(4000), 'x'.repeat(4000)]]
    for (const headers of refused) {
      const body = { name: 'page', 'status-code': '200 OK', headers }
      const { status, json } = await at('v3')('POST', 'response-pages', body)
      assert.deepEqual([status, /The member headers must be text/.test(json.msg)], [406, true], json.msg)
    }
  })

  test('are languages by their codes, which every version takes beside the names', async () => {
    const locale = async (version: string) => (await at(version)('GET', 'system')).json.data.System.locale
    assert.deepEqual(
      [await locale('v3'), await locale('v3.1'), await locale('v3.2')],
      ['en_US', 'en_US', 'English'],
    )
    for (const [version, input] of [
      ['v3', 'de_DE'],
      ['v3.2', 'DE_de'],
      ['v3', 'Deutsch'],
    ] as const) {
      await at('v3.2')('PUT', 'system', { locale: 'English' })
      assert.equal((await at(version)('PUT', 'system', { locale: input })).status, 200)
      assert.deepEqual([await locale('v3'), await locale('v3.2')], ['de_DE', 'Deutsch'])
    }
    assert.equal((await at('v3')('PUT', 'system', { locale: 'xx_XX' })).status, 406)
    const grouped = (await at('v3')('GET', 'system?groups=System&parameters=locale')).json
    assert.deepEqual(grouped.data, { System: { locale: 'de_DE' } })
  })
})
