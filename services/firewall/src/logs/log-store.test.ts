import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEveryStore } from '@palisade/platform/testing'
import { storedLogs } from './columns.ts'
import type { LogEntry } from './log-types.ts'
import { sampleEntries, sampleValue } from './testing/entries.ts'
import { type ServedLogs, serveLogs } from './testing/served-logs.ts'

onEveryStore('logs', (newStore) => {
  let served: ServedLogs
  before(async () => {
    served = await serveLogs(await newStore())
  })
  after(() => served.stop())

  /** So many entries of one log, whose ports count from 0. */
  const numbered = (count: number): LogEntry<'network-firewall'>[] =>
    Array.from({ length: count }, (_, index) => ({
      'source-port': index,
      protocol: index % 2 ? 'TCP' : 'UDP',
    }))

  const ports = ({ json }: { json: { data?: Record<string, Record<string, string>> } }) =>
    Object.values(json.data ?? {}).map((entry) => Number(entry['source-port']))

  test('that are empty have a title, a fresh token and no data', async () => {
    for (const log of storedLogs.values()) {
      for (const path of [log.segment, `logs/${log.segment}`]) {
        const { status, json, headers } = await served.get(path)
        assert.equal(status, 200)
        const reason = log.name === 'network-firewall' ? ['msg'] : []
        assert.deepEqual(Object.keys(json), ['object', ...reason, 'token'])
        assert.equal(json.object, log.title)
        assert.equal(headers['cache-control'], 'no-store')
      }
    }
  })

  test('show every field of every type as text, and only the fields that are asked for', async () => {
    for (const log of storedLogs.values()) {
      await served.logs.append(log.name, sampleEntries(log.name))
      const { json } = await served.get(log.segment)
      assert.deepEqual(Object.keys(json), ['object', 'data', 'token'])
      const [[id, newest] = ['', {}]] = Object.entries<Record<string, string>>(json.data)
      const fields = [...log.fields.keys()]
      const expected = fields.map((field) => [field, field === 'id' ? id : sampleValue(log, field, 2)])
      assert.deepEqual(newest, Object.fromEntries(expected))
      const field = fields.at(-1) ?? ''
      const one = await served.get(`${log.segment}/${id}?parameters=${field},time`)
      const example = { time: newest.time, [field]: newest[field] }
      assert.deepEqual(one.json, { object: log.title, data: { [id]: example }, token: one.json.token })
      const whole = await served.get(`${log.segment.replaceAll('-', '_')}/${id}`)
      assert.deepEqual(whole.json.data, { [id]: newest })
    }
  })

  test('show what an entry lacks as empty, and the time of writing where it says none', async () => {
    await served.system.append({ module: 'SSL', eventId: 7, severity: 'Alert', message: 'It begins.' })
    await served.logs.append('system', [{ message: 'half' }])
    const { json } = await served.get('system-logs?limit=2')
    const [half, first] = Object.values<Record<string, string>>(json.data)
    const time = String(served.clock.now())
    assert.deepEqual(
      { ...half, id: '' },
      { id: '', time, module: '', 'event-id': '', severity: '', message: 'half' },
    )
    assert.deepEqual(
      { ...first, id: '' },
      { id: '', time, module: 'SSL', 'event-id': '7', severity: 'Alert', message: 'It begins.' },
    )
  })

  test('keep any text, cut where it is too long', async () => {
    const texts = ['\'"\\;--', 'ü 日本 🙂', '\n\t\u0001', '%_?$1']
    await served.logs.append(
      'access',
      [...texts, 'NUL \0', 'half \ud83d', 'x'.repeat(9000)].map((url) => ({ url, cookie: url })),
    )
    const { json } = await served.get('access-logs?limit=7&parameters=url,cookie')
    const entries = Object.values<Record<string, string>>(json.data).reverse()
    const expected = [...texts, 'NUL \ufffd', 'half \ufffd', 'x'.repeat(8192)]
    assert.deepEqual(
      entries,
      expected.map((url) => ({ url, cookie: url })),
    )
  })

  test('are shown newest first, 20 at a time, and page by page without a gap', async () => {
    served.clock.advance(60_000)
    await served.logs.append('network-firewall', numbered(45))
    assert.deepEqual(ports(await served.get('network-firewall-logs')), countDown(44, 20))
    const pages = [0, 20, 40].map((offset) => served.get(`network-firewall-logs?limit=20&offset=${offset}`))
    const [first, second, third] = await Promise.all(pages)
    assert.deepEqual(ports(first ?? { json: {} }), countDown(44, 20))
    assert.deepEqual(ports(second ?? { json: {} }), countDown(24, 20))
    assert.deepEqual(ports(third ?? { json: {} }).slice(0, 5), countDown(4, 5))
    assert.deepEqual(
      ports(await served.get('logs/network-firewall-logs?limit=3&offset=10')),
      countDown(34, 3),
    )
    assert.deepEqual(ports(await served.call('POST', 'logs/network-firewall-logs?limit=2')), [44, 43])
  })

  test('are searched and paged far beyond what one step looks at', async () => {
    served.clock.advance(60_000)
    await served.logs.append('network-firewall', numbered(7000))
    const from = encodeURIComponent(
      `{"field":"time","operators":"Time Range","values":["${served.clock.now()}",""]}`,
    )
    assert.deepEqual(ports(await served.get('network-firewall-logs?offset=6998&limit=2')), [1, 0])
    assert.equal(ports(await served.get(`network-firewall-logs?filters=${from}&limit=10000`)).length, 7000)
    assert.deepEqual(ports(await served.get(`network-firewall-logs?filters=${from}&offset=6999`)), [0])
    const { json } = await served.get(`network-firewall-logs?filters=${from}&offset=7000`)
    assert.equal('data' in json, false)
    const sparse = encodeURIComponent(
      JSON.stringify([
        { field: 'source-port', operators: 'in (comma-separated)', values: ['6999', '4500', '3', '2'] },
        { field: 'protocol', operators: 'in', values: ['tcp', 'UDP'] },
      ]),
    )
    const portsOnPage = ports(await served.get(`network-firewall-logs?filters=${sparse}&limit=4`))
    assert.deepEqual(portsOnPage, [6999, 4500, 3, 2])
    assert.deepEqual(
      ports(await served.get(`network-firewall-logs?filters=${sparse}&limit=2&offset=2`)),
      [3, 2],
    )
    const odd = encodeURIComponent('{"field":"source-port","operators":"regexp","values":["1"]}')
    assert.equal((await served.get(`network-firewall-logs?filters=${odd}`)).status, 400)
    const expression = encodeURIComponent(
      `[{"field":"id","operators":"regexp","values":["^[0-9a-f]{11}-"]},{"field":"source-port","operators":"less than","values":["5"]}]`,
    )
    assert.deepEqual(
      ports(await served.get(`network-firewall-logs?filters=${expression}&limit=5`)),
      [4, 3, 2, 1, 0],
    )
  })

  test('answer readers while they are appended to, with whole entries in order', async () => {
    served.clock.advance(60_000)
    let isWriting = true
    const writing = served.logs.append('web-firewall', webEntries(5000)).finally(() => {
      isWriting = false
    })
    let reads = 0
    let newest = ''
    while (isWriting) {
      const { status, json } = await served.get('web-firewall-logs?limit=50&parameters=id')
      assert.equal(status, 200)
      const ids = Object.values<Record<string, string>>(json.data).map(({ id = '' }) => id)
      assert.deepEqual(ids, ids.toSorted().reverse())
      assert.ok((ids[0] ?? '') >= newest, 'what was written stays')
      newest = ids[0] ?? ''
      reads++
    }
    await writing
    assert.ok(reads > 1, 'readers were served in between')
    const { json } = await served.get('web-firewall-logs?limit=1&parameters=client-port')
    assert.deepEqual(Object.values(json.data), [{ 'client-port': '4999' }])
  })

  test('refuse whoever has no token, whatever the address', async () => {
    for (const log of storedLogs.values()) {
      for (const path of [log.segment, `${log.segment}/1`, `logs/${log.segment}`]) {
        for (const method of ['GET', 'DELETE']) {
          const { status, json, headers } = await served.call(method, path, {})
          assert.equal(status, 401, `${method} ${path}`)
          assert.match(json.msg, /^Invalid Credentials\./)
          assert.match(String(headers['www-authenticate']), /Basic/)
        }
      }
    }
  })

  test('answer 404 to an id that is not there', async () => {
    for (const log of storedLogs.values()) {
      for (const id of ['nothing', '19bf3a5c8e1-0000000000', 'a%00b', '%F0%9F%99%82']) {
        const { status, json } = await served.get(`${log.segment}/${id}`)
        assert.equal(status, 404, id)
        assert.equal(json.error.type, 'not-found')
      }
    }
  })

  test('answer other methods with 405', async () => {
    for (const log of storedLogs.values()) {
      for (const method of ['POST', 'PUT', 'DELETE']) {
        for (const path of [log.segment, `${log.segment}/1`]) {
          const { status, headers } = await served.call(method, path)
          assert.equal(status, 405, `${method} ${path}`)
          assert.equal(headers.allow, 'GET')
        }
      }
      assert.equal((await served.call('DELETE', `logs/${log.segment}`)).status, 405)
    }
  })
})

function webEntries(count: number): LogEntry<'web-firewall'>[] {
  return Array.from({ length: count }, (_, index) => ({ 'client-port': index, url: `/articles/${index}` }))
}

function countDown(from: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => from - index)
}
