import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEveryStore } from '@palisade/platform/testing'
import { type StoredLog, storedLogs } from '../columns.ts'
import { logTypes } from '../log-types.ts'
import { sampleEntries, sampleValue } from '../testing/entries.ts'
import { type ServedLogs, serveLogs } from '../testing/served-logs.ts'
import type { OlderParameter } from '../types/log-type.ts'
import { type Operator, operatorsOf } from './operators.ts'
import { olderParametersOf } from './read-older-parameters.ts'

/** For each operator: values made of those of the three sample entries, and which entries are then found. */
const cases: Readonly<
  Record<Operator, readonly [(sample: readonly string[]) => string[], readonly number[]]>
> = {
  'is equal to': [([, second = '']) => [second], [1]],
  'not equal to': [([, second = '']) => [second], [0, 2]],
  'greater than': [([, second = '']) => [second], [2]],
  'greater than or equal to': [([, second = '']) => [second], [1, 2]],
  'less than': [([, second = '']) => [second], [0]],
  'less than or equal to': [([, second = '']) => [second], [0, 1]],
  'in the range': [([, second = '', third = '']) => [second, third], [1, 2]],
  'in (comma-separated)': [([first, , third]) => [`${first},${third}`], [0, 2]],
  'not in (comma-separated)': [([first, , third]) => [`${first},${third}`], [1]],
  regexp: [([first = '', second = '']) => [`^(${RegExp.escape(first)}|${RegExp.escape(second)})$`], [0, 1]],
  'not regexp': [([first = '']) => [RegExp.escape(first.slice(0, -1)) + first.slice(-1)], [1, 2]],
  'Time Range': [([, second = '', third = '']) => [second, third], [1, 2]],
}

onEveryStore('searching logs', (newStore) => {
  let served: ServedLogs
  /** The ids of the sample entries of each log, in the order of writing. */
  const ids = new Map<StoredLog, string[]>()
  before(async () => {
    served = await serveLogs(await newStore())
    for (const log of storedLogs.values()) {
      await served.logs.append(log.name, sampleEntries(log.name))
      const { json } = await served.get(log.segment)
      ids.set(log, Object.keys(json.data).reverse())
    }
  })
  after(() => served.stop())

  async function idsAt(log: StoredLog, path: string): Promise<number[]> {
    const { status, json } = await served.get(path)
    assert.equal(status, 200, `${path}: ${JSON.stringify(json)}`)
    return Object.keys(json.data ?? {}).map((id) => ids.get(log)?.indexOf(id) ?? -1)
  }

  test('finds by every operator of every field of every log', async () => {
    let ran = 0
    for (const log of storedLogs.values()) {
      for (const [field, of] of log.fields) {
        for (const operators of operatorsOf[of]) {
          const [valuesOf, expected] = cases[operators]
          const sample =
            field === 'id' ? (ids.get(log) ?? []) : [0, 1, 2].map((index) => sampleValue(log, field, index))
          const filters = JSON.stringify([{ field, operators, values: valuesOf(sample) }])
          const indexes = await idsAt(log, `${log.segment}?filters=${encodeURIComponent(filters)}`)
          assert.deepEqual(indexes, expected.toReversed(), `${log.name}: ${filters}`)
          ran++
        }
      }
    }
    assert.equal(ran, 409)
  })

  test('finds by every parameter of older clients', async () => {
    let ran = 0
    for (const log of storedLogs.values()) {
      for (const name of olderParametersOf(log)) {
        const value = olderValue(log, name)
        const path = `logs/${log.segment}?${new URLSearchParams({ [name]: value })}`
        assert.deepEqual(await idsAt(log, path), [1], path)
        ran++
      }
    }
    assert.equal(ran, 70)
  })

  const parametersOf = ({ name }: StoredLog): Readonly<Record<string, OlderParameter>> =>
    logTypes[name].olderParameters

  function olderValue(log: StoredLog, name: string): string {
    if (name === 'log_uid' || name === 'bson_oid') return ids.get(log)?.[1] ?? ''
    if (name === 'useragent_version') return 'Beta user'
    const of = (field: string) => sampleValue(log, field, 1)
    if (name.includes(':'))
      return name === 'serverip:serverport' ? `${of('server-ip')}:2000` : `${of('service-ip')}:2000`
    const field: OlderParameter | undefined = parametersOf(log)[name]
    assert.ok(typeof field === 'string', name)
    return of(field)
  }

  test('takes filters as clients may spell them', async () => {
    const spellings = [
      '{"field":"client-ip","operators":"is equal to","values":["Beta client-ip"]}',
      '[{"Field":"Client_IP","Operator":"Is Equal To","Value":"Beta client-ip"}]',
      '[{"field":"method","operators":"in","values":["beta METHOD","none"]}]',
      '[{"field":"client-port","operators":"is equal to","values":[2000]}]',
      '[{"field":"client-port","operators":"in the range","values":["1500-2500"]}]',
    ]
    const access = storedLogs.get('access')
    assert.ok(access)
    for (const filters of spellings) {
      assert.deepEqual(
        await idsAt(access, `access-logs?filters=${encodeURIComponent(filters)}`),
        [1],
        filters,
      )
      assert.deepEqual(
        await idsAt(access, `access_logs/?filters=${encodeURIComponent(filters)}`),
        [1],
        filters,
      )
    }
  })

  test('wants all filters to hold, and one of the values of each', async () => {
    const access = storedLogs.get('access')
    assert.ok(access)
    const filters = JSON.stringify([
      { field: 'client-port', operators: 'greater than', values: ['1000'] },
      { field: 'url', operators: 'regexp', values: ['^Alpha', '^Gamma'] },
      { field: 'host', operators: 'not regexp', values: ['^Beta'] },
    ])
    assert.deepEqual(await idsAt(access, `access-logs?filters=${encodeURIComponent(filters)}`), [2])
  })

  test('takes times in every form, as long as they are precise', async () => {
    const access = storedLogs.get('access')
    assert.ok(access)
    const ranges: [string, string, number[]][] = [
      ['2029-12-31', '2029-12-31', [2, 1, 0]],
      ['2029-12-31T12:01', '2029-12-31T12:01', [1]],
      ['2029-12-31 12:01:00', '', [2, 1]],
      ['', '2029-12-31T12:00:59.999Z', [0]],
      ['2029-12-31T13:01:00+01:00', '2029-12-31T13:01:00+01:00', [1]],
      [String(Date.UTC(2029, 11, 31, 12, 1) / 1000), '', [2, 1]],
      ['', String(Date.UTC(2029, 11, 31, 12, 1) - 1), [0]],
      ['', '', [2, 1, 0]],
    ]
    for (const [from, to, expected] of ranges) {
      const filters = JSON.stringify([{ field: 'time', operators: 'Time Range', values: [from, to] }])
      assert.deepEqual(
        await idsAt(access, `access-logs?filters=${encodeURIComponent(filters)}`),
        expected,
        filters,
      )
    }
    const both = `${Date.UTC(2029, 11, 31, 12, 0)},${Date.UTC(2029, 11, 31, 12, 1)}`
    assert.deepEqual(await idsAt(access, `logs/access-logs?timestamp=${both}`), [1, 0])
  })

  const refused: readonly [string, RegExp][] = [
    ['nonsense=1', /nonsense/],
    ['limit=0', /limit/],
    ['limit=10001', /limit.*10000/],
    ['limit=x', /limit/],
    ['limit=1&limit=2', /limit/],
    ['offset=-1', /offset/],
    ['parameters=colour', /parameters.*colour/],
    ['groups=Service', /groups/],
    ['filters=', /filters is no JSON/],
    ['filters={', /filters is no JSON/],
    ['filters=[{"field":"id","field":"time"}]', /member "field" is given more than once/],
    ['filters=[{"value":[],"values":[]}]', /member values twice/],
    ['filters=7', /filters.*no JSON object/],
    ['filters=null', /filters.*no JSON object/],
    ['filters=[[]]', /filters/],
    ['filters=[{"field":"colour"}]', /filters.*colour.*client-ip/],
    ['filters=[{"field":"cookie","operators":"is equal to","values":[""]}]', /filters.*cookie/],
    ['filters=[{"field":"url","operators":"greater than","values":["1"]}]', /greater than.*url.*regexp/],
    ['filters=[{"field":"url","operators":"is equal to"}]', /values for url/],
    ['filters=[{"field":"url","operators":"is equal to","values":[]}]', /url: a value/],
    ['filters=[{"field":"url","operators":"is equal to","values":[{}]}]', /values for url/],
    ['filters=[{"field":"url","operators":"is equal to","values":["\\u0000"]}]', /url that no entry has/],
    ['filters=[{"field":"url","operators":"is equal to","values":["\\ud800"]}]', /url that no entry has/],
    ['filters=[{"field":"url","operators":"regexp","values":["("]}]', /url.*regular expression/],
    [`filters=[{"field":"url","operators":"regexp","values":["${'x'.repeat(501)}"]}]`, /url.*500/],
    ['filters=[{"field":"url","operators":"regexp","values":["a"],"colour":1}]', /member "colour"/],
    [
      'filters=[{"field":"client-port","operators":"is equal to","values":["eighty"]}]',
      /client-port.*eighty/,
    ],
    [
      'filters=[{"field":"client-port","operators":"less than","values":["1","2"]}]',
      /client-port.*one value/,
    ],
    [
      'filters=[{"field":"client-port","operators":"in the range","values":["1"]}]',
      /client-port.*two values/,
    ],
    ['filters=[{"field":"time","operators":"Time Range","values":["1"]}]', /time.*two times/],
    ['filters=[{"field":"time","operators":"Time Range","values":["soon",""]}]', /time.*soon/],
    ['filters=[{"field":"time","operators":"Time Range","values":["2029-13-31",""]}]', /time.*2029-13-31/],
    [
      'filters=[{"field":"time","operators":"Time Range","values":["2030-01-02","2030-01-01"]}]',
      /time.*ends before/,
    ],
    [
      `filters=${JSON.stringify(Array(21).fill({ field: 'url', operators: 'regexp', values: ['a'] }))}`,
      /at most 20/,
    ],
    [
      `filters=[{"field":"url","operators":"is equal to","values":${JSON.stringify(Array(101).fill('a'))}}]`,
      /100/,
    ],
  ]

  test('refuses what it cannot use with 400, naming it', async () => {
    let ran = 0
    for (const [query, message] of refused) {
      const { status, json } = await served.get(`access-logs?${encodeURI(query)}`)
      assert.equal(status, 400, query)
      assert.match(json.msg, message)
      assert.deepEqual(json.errors, { status: '400', type: 'bad-request', msg: json.msg })
      assert.ok(json.token)
      ran++
    }
    assert.equal(ran, refused.length)
  })

  test('refuses what it cannot use of older clients, too', async () => {
    const older: [string, RegExp][] = [
      ['filters=[]', /filters/],
      ['bson_oid=1', /bson_oid/],
      ['client_port=x', /client_port.*client-port.*"x"/],
      ['timestamp=later', /timestamp.*later/],
      ['timestamp=1,2,3', /timestamp.*two times/],
      ['serverip:serverport=192.0.2.1', /serverip:serverport.*192\.0\.2\.1:80/],
      ['client_ip=%00', /client_ip/],
    ]
    for (const [query, message] of older) {
      const { status, json } = await served.get(`logs/access-logs?${query}`)
      assert.equal(status, 400, query)
      assert.match(json.msg, message)
    }
  })

  test('refuses an expression that would work without end', async () => {
    await served.logs.append('network-firewall', [{ 'acl-name': `${'a'.repeat(50)}!` }])
    const filters = '[{"field":"acl-name","operators":"regexp","values":["^(a+)+$"]}]'
    const start = performance.now()
    const { status, json } = await served.get(`network-firewall-logs?filters=${encodeURIComponent(filters)}`)
    assert.equal(status, 400)
    assert.match(json.msg, /filters.*too long/)
    assert.ok(performance.now() - start < 5000)
  })
})
