import assert from 'node:assert/strict'
import { Agent } from 'node:http'
import { after, before, test } from 'node:test'
import { onEveryStore, send } from '@palisade/platform/testing'
import { TestService } from '../testing/backup-service.ts'
import { FakeAgent } from '../testing/fake-agent.ts'
import { FakeHosts } from '../testing/fake-hosts.ts'

const callers = 8
const set = { name: 'nightly', type: 'Disk_Image', selection: ['%All%'] }

onEveryStore('the same request many times at once', (newStore) => {
  let service: TestService
  const connections = new Agent({ keepAlive: true })
  before(async () => {
    service = await TestService.start(await newStore())
  })
  after(async () => {
    connections.destroy()
    await service.close()
  })

  /** What all callers are answered, over connections that are open already. */
  const atOnce = async (path: string, body: object) => {
    const url = `${service.served.baseUrl}/v2/accounts/acme/computers/0001`
    const headers = await service.authorise('automation')
    const all = (sent: object, to: string) =>
      Promise.all(Array.from({ length: callers }, () => send(to, { headers, agent: connections, ...sent })))
    await all({}, url)
    return all({ method: 'POST', body }, url + path)
  }
  const statusesOf = (replies: readonly { readonly status: number }[]) =>
    replies.map(({ status }) => status).sort()
  const others = (status: number) => Array.from({ length: callers - 1 }, () => status)

  test('runs a backup set once, and deletes it once', async () => {
    const created = await service.computer('POST', '/backupsets', set)
    const backupSetId = created.json.data.id
    assert.deepEqual(statusesOf(await atOnce('/backupsets/run', { backupSetId })), [202, ...others(409)])
    assert.deepEqual(statusesOf(await atOnce('/backupsets/delete', { backupSetId })), [200, ...others(400)])
  })

  test('registers a host once, and tells every caller of it', async (t) => {
    const agent = await (await FakeAgent.enrol(service.served.baseUrl)).connect()
    t.after(() => agent.disconnect())
    agent.answersHosts = new FakeHosts().answer
    const { sessionId } = (await service.computer('POST', '/restore/hyperv/session')).json
    const replies = await atOnce('/restore/hyperv/host/register/local', { sessionId })
    assert.deepEqual(statusesOf(replies), [200, ...others(200)])
    assert.equal(new Set(replies.map(({ json }) => json.identifier.id)).size, 1)
  })

  test('begins as many sessions as are asked for, of which a hundred are kept', async () => {
    const begin = async (): Promise<string> =>
      (await service.computer('POST', '/restore/hyperv/session')).json.sessionId
    const statusOf = async (id: string) =>
      (await service.computer('GET', `/restore/hyperv/session/${id}`)).status
    const first = await begin()
    assert.equal(await statusOf(first), 200)
    service.clock.advance(1)
    const ids: string[] = []
    for (let begun = 0; begun < 100; begun++) ids.push(await begin())
    assert.equal(await statusOf(first), 404)
    for (const id of ids) assert.equal(await statusOf(id), 200)
  })
})
