import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { onEveryStore } from '@palisade/platform/testing'
import { TestService } from '../testing/backup-service.ts'
import { FakeAgent } from '../testing/fake-agent.ts'

onEveryStore('messages that agents send while the service ends', (newStore) => {
  test('are dealt with or left, and nothing of them is logged as an error', async () => {
    const store = await newStore()
    const service = await TestService.start(store)
    const agent = await (await FakeAgent.enrol(service.served.baseUrl)).connect()
    const { json } = await service.computer('POST', '/backups', { source: { path: '/x' } })
    for (let count = 0; count < 500; count++) {
      agent.say({
        type: 'progress',
        task: 'backup',
        id: `other ${count}`,
        step: 'x',
        bytesDone: 0,
        bytesTotal: 1,
      })
      agent.say({ type: 'finished', task: 'backup', id: json.data.id, outcome: { state: 'CANCELED' } })
    }
    // Some have come through by then, and some are cut off.
    await delay(5)
    await service.served.close()
    await store.close()
    await delay(300)
    await service.close()
  })
})
