import assert from 'node:assert/strict'
import { once } from 'node:events'
import http from 'node:http'
import { after, before, test } from 'node:test'
import { agentPaths, patchedChunksMax } from '@palisade/agent-protocol'
import { onEveryStore } from '@palisade/platform/testing'
import { configuration, TestService } from '../testing/backup-service.ts'
import { eventually } from '../testing/eventually.ts'
import { FakeAgent, someVolume, vaultChunkSizeBytes } from '../testing/fake-agent.ts'

const [acme, ...others] = configuration.accounts
assert.ok(acme)
const third = { id: '0003', name: 'web01', enrolmentKey: 'enrol-three' }
const withThree = {
  ...configuration,
  accounts: [{ ...acme, computers: [...acme.computers, third] }, ...others],
}

/** Of the chunks of a commit. */
interface Counts {
  readonly chunkCount: number
  readonly patchedCount: number
}

const small: Counts = { chunkCount: 2, patchedCount: 0 }
const largest: Counts = { chunkCount: 2 ** 25, patchedCount: patchedChunksMax }

/** What comes before the ids of a commit. */
function headOf({ chunkCount, patchedCount }: Counts): Buffer {
  const capacityBytes = chunkCount * vaultChunkSizeBytes
  const volume = { ...someVolume, capacityBytes }
  const metadata = Buffer.from(
    JSON.stringify({ volume, chunkSizeBytes: vaultChunkSizeBytes, chunkCount, patchedCount, createdAtMs: 0 }),
  )
  const length = Buffer.alloc(4)
  length.writeUInt32LE(metadata.length)
  return Buffer.concat([length, metadata])
}

onEveryStore('the memory of commits', (newStore) => {
  let service: TestService
  let agents: { agent: FakeAgent; path: string }[] = []
  before(async () => {
    service = await TestService.start(await newStore(), { configuration: withThree })
    agents = []
    for (const { id, enrolmentKey } of [...acme.computers, third]) {
      const agent = await FakeAgent.enrol(service.served.baseUrl, { computer: id, enrolmentKey })
      await agent.connect()
      const source = { source: { path: '/dev/sdb' } }
      const { json } = await service.call('POST', `/v2/accounts/acme/computers/${id}/backups`, source)
      await agent.heard('start-backup')
      agents.push({ agent, path: agentPaths.commit(json.data.id) })
    }
  })
  after(() => service.close())

  const agentOf = (index: number) => {
    const agent = agents[index]
    assert.ok(agent)
    return agent
  }
  /** How a commit is answered that has a head and no ids: 400 once it is read. */
  const statusOf = async (index: number, counts: Counts) => {
    const { agent, path } = agentOf(index)
    const { status, headers } = await agent.request('POST', path, headOf(counts))
    if (status === 503) assert.ok(Number(headers.get('retry-after')) > 0)
    return status
  }

  /** Begins a commit that stops behind its head; resolves when the service is at it. */
  const beginCommit = async (index: number, counts: Counts): Promise<http.ClientRequest> => {
    const { agent, path } = agentOf(index)
    for (;;) {
      let isRefused = false
      const request = http.request(agent.baseUrl + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${agent.credential}`, 'content-type': 'application/octet-stream' },
      })
      request.on('error', () => undefined)
      request.once('response', (response) => {
        isRefused = response.resume().statusCode === 503
      })
      request.write(headOf(counts))
      // What asks whether it is there may have come first, and then it is refused.
      while (!isRefused) if ((await statusOf(index, small)) === 503) return request
    }
  }

  test('is taken by one commit of a computer at a time; another one is told to come again', async () => {
    const request = await beginCommit(0, small)
    assert.equal(await statusOf(1, small), 400)
    const reply = once(request, 'response')
    request.end(Buffer.alloc(64))
    const [response] = await reply
    assert.equal(response.statusCode, 200)
    assert.equal(await statusOf(0, small), 200, 'the revision that is there')
  })

  test('has a bound for all computers together, and is free again when an agent goes away', async () => {
    const { json } = await service.computer('POST', '/backups', { source: { path: '/dev/sdb' } })
    agentOf(0).path = agentPaths.commit(json.data.id)
    const requests = [await beginCommit(0, largest), await beginCommit(1, largest)]
    assert.equal(await statusOf(2, small), 503)
    for (const request of requests) request.destroy()
    await eventually(async () => assert.equal(await statusOf(2, largest), 400))
  })
})
