import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEveryStore } from '@palisade/platform/testing'
import { logNames } from '../logs/log-types.ts'
import { sampleEntries } from '../logs/testing/entries.ts'
import { type ServedLogs, serveLogs } from '../logs/testing/served-logs.ts'
import { logPaths } from './log-paths.ts'

interface Operation {
  readonly operationId: string
  readonly parameters: readonly { readonly name: string }[]
}

const { paths, schemas } = logPaths('/restapi/v3.2')
const operations = Object.entries(paths).map(([path, item]) => [path, item.get as Operation] as const)

onEveryStore('the description of the logs', (newStore) => {
  let served: ServedLogs
  before(async () => {
    served = await serveLogs(await newStore())
    for (const name of logNames) await served.logs.append(name, sampleEntries(name))
  })
  after(() => served.stop())

  test('names addresses and parameters that are served', async () => {
    let ran = 0
    for (const [path, { parameters }] of operations) {
      const [, , , segment = ''] = path.split('/')
      const list = path.includes('{entry_id}') ? await served.get(segment) : undefined
      const [id = ''] = Object.keys(list?.json.data ?? {})
      const address = path.replace('/restapi/v3.2/', '').replace('{entry_id}', id)
      const { status, json } = await served.get(address)
      assert.equal(status, 200, address)
      assert.ok(json.data, address)
      for (const { name } of parameters) {
        const { json: reply } = await served.get(`${address}?${encodeURIComponent(name)}=`)
        assert.doesNotMatch(String(reply.msg), /has no meaning here/, `${address} ${name}`)
        ran++
      }
    }
    assert.equal(ran, operations.flatMap(([, { parameters }]) => parameters).length)
  })
})

test('the description of the logs names each operation once, and every schema that it refers to', () => {
  const names = operations.map(([, { operationId }]) => operationId)
  assert.equal(names.length, 20)
  assert.equal(new Set(names).size, names.length)
  const referred = JSON.stringify(paths).match(/(?<="#\/components\/schemas\/)[^"]+/g) ?? []
  assert.deepEqual(new Set(referred), new Set(Object.keys(schemas)))
})

onEveryStore('a parameter that a log does not take', (newStore) => {
  test('is answered by the filter that seems to be meant, which then works', async () => {
    const served = await serveLogs(await newStore())
    let ran = 0
    for (const name of logNames) {
      await served.logs.append(name, sampleEntries(name))
      const log = `${name}-logs`
      for (const parameter of ['service', 'user', 'nonsense']) {
        const { status, json } = await served.get(`${log}?${parameter}=none`)
        assert.equal(status, 400)
        const [, filters = ''] =
          /expected: filters, .* Filters are JSON, URL-encoded: filters=(\[.*\])$/.exec(json.msg) ?? []
        const reply = await served.get(`${log}?filters=${encodeURIComponent(filters)}`)
        assert.equal(reply.status, 200, `${log} ${json.msg}`)
        ran++
      }
    }
    assert.equal(ran, 3 * logNames.length)
    const { json } = await served.get('access-logs?service=shop')
    assert.match(json.msg, /\[\{"field":"service-app-id","operators":"[^"]+","values":\["shop"\]\}\]$/)
    await served.stop()
  })
})
