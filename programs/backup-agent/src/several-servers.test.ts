import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Outcome } from '@palisade/agent-protocol'
import { ServerRelay } from './testing/agent/server-relay.ts'
import { TestAgent } from './testing/agent/test-agent.ts'
import { eventually } from './testing/eventually.ts'
import { volumeIn } from './testing/revisions/restored-disk.ts'
import { writeVolumeImage } from './testing/volumes/volume-image.ts'

const mebibyte = 1024 * 1024
const computer = { account: 'acme', computer: '0001' }

/** An agent that is not started yet, and two servers that lead to one vault. */
async function agentOfTwo(t: TestContext) {
  const agent = await TestAgent.prepare(t)
  const first = await ServerRelay.start(t, agent.server)
  const second = await ServerRelay.start(t, agent.server)
  const images = ['one', 'two'].map((name) => join(agent.directory, `${name}.raw`))
  for (const image of images) writeVolumeImage(image, 21 * mebibyte + 512 * 7)
  const membership = { serverUrls: [first.url, second.url], ...computer } as const
  return { agent, server: agent.server, first, second, images, membership }
}

async function assertRestored(outcome: Outcome, image: string): Promise<void> {
  const [file = ''] = outcome.state === 'SUCCESS' ? (outcome.files ?? []) : []
  assert.ok(file !== '', JSON.stringify(outcome))
  assert.ok((await volumeIn(file)).equals(readFileSync(image)))
}

for (const [how, fail] of [
  ['ends', (relay: ServerRelay) => relay.cut()],
  ['answers 503', (relay: ServerRelay) => relay.answer503()],
  ['says nothing any more', (relay: ServerRelay) => relay.sayNothing()],
] as const) {
  test(`a backup and a restore go on over another server when the one in use ${how}`, async (t) => {
    const { agent, server, first, second, images, membership } = await agentOfTwo(t)
    const [one = '', two = ''] = images
    await agent.start({ membership })
    const revision = await server.backUp('b1', { path: one })
    assert.equal(agent.linkedTo, first.url)

    // Fails when both have chunks on their way.
    const underWay = new Set<string>()
    const failed = Promise.withResolvers<void>()
    server.interfere = async ({ url = '', method = '' }) => {
      if (!new URL(url, 'http://localhost').pathname.endsWith('/chunks')) return false
      underWay.add(method)
      if (underWay.size === 2) {
        server.interfere = () => false
        fail(first)
        failed.resolve()
      }
      await failed.promise
      return false
    }
    const [changed, restored] = await Promise.all([
      server.backUp('b2', { path: two }),
      server.restore('r1', agent.target, 'Vhdx', [revision]),
    ])
    await assertRestored(restored, one)
    await eventually('a link to the second', () => agent.linkedTo === second.url)

    // And back, with the one revision that was made over both.
    await first.recover()
    second.cut()
    await eventually('a link to the first', () => agent.linkedTo === first.url)
    await assertRestored(await server.restore('r2', agent.target, 'Vhdx', [changed]), two)
  })
}

test('enrols with a server that is there, and keeps its credential while one of its servers stays', async (t) => {
  const { agent, server, first, second, membership } = await agentOfTwo(t)
  await assert.rejects(agent.start({ membership, enrolmentKey: 'wrong' }), { name: 'AgentRefused' })
  assert.equal(server.requestCounts.get('enrol'), 1, 'a refusal is an answer of all servers')
  first.answer503()
  await agent.start({ membership })
  await agent.stop()
  const starts = async (...serverUrls: [string, ...string[]]) => {
    await agent.start({ enrolmentKey: undefined, membership: { serverUrls, ...computer } })
    await agent.stop()
    return agent.linkedTo
  }
  assert.equal(await starts(first.url, second.url), second.url)
  assert.equal(await starts(second.url), second.url)
  await first.recover()
  assert.equal(await starts(first.url, second.url), first.url)
  await assert.rejects(starts(server.url), { name: 'AgentRefused' })
})
