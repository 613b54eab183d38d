import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get } from 'node:http'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { migrate, rowBatches } from '@palisade/platform'
import { onEveryStore } from '@palisade/platform/testing'
import { firewallMigrations } from '../migrations.ts'
import type { FirewallTables } from '../tables.ts'
import { basic, logIn } from '../testing/client.ts'
import { serveFirewall } from '../testing/firewall.ts'

const count = 5_000

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

function heapBytes(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

onEveryStore('a list of thousands of services', (newStore) => {
  test('leaves nothing in memory, and shows each as it is', async () => {
    const store = await newStore()
    await migrate(store, 'firewall', firewallMigrations)
    const rows = Array.from({ length: count }, (_, index) => {
      const name = `service-${index}`
      const document = JSON.stringify({
        values: { name, 'ip-address': '192.0.2.1', port: index + 1 },
        sections: {},
      })
      return { kind: 'service', path: JSON.stringify([name]), document, version: 0 }
    })
    for (const batch of rowBatches(rows)) {
      await store.tables<FirewallTables>().insertInto('firewall_object').values(batch).execute()
    }
    const served = await serveFirewall({ store })
    const { root, token, get: getOne } = await logIn(served.baseUrl)
    await getOne('services/service-7')
    const before = heapBytes()
    let bytes = 0
    const request = get(`${root}/services`, { headers: basic(`${token}:`) })
    const [reply] = await once(request, 'response')
    assert.equal(reply.statusCode, 200)
    for await (const piece of reply) bytes += piece.length
    const left = heapBytes() - before
    assert.ok(bytes > count * 1_000, `${bytes} bytes`)
    assert.ok(left < bytes / 4, `${left} of ${bytes} bytes are still in memory`)
    const { json } = await getOne('services')
    assert.equal(Object.keys(json.data).length, count)
    assert.deepEqual(json.data['service-7'], (await getOne('services/service-7')).json.data['service-7'])
    await served.close()
  })
})
