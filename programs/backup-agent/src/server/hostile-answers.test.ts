/**
 * A server that answers whatever it is asked with bytes without an end, once as what was asked for and once as a refusal. What the
 * agent takes of them is what the system has room for between the two, and not more.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Outcome } from '@palisade/agent-protocol'
import { chunkCountMax, chunkSizeMinBytes, serverMessageSizeMaxBytes } from '@palisade/agent-protocol/wire'
import { AgentRefused } from '../agent/agent.ts'
import { Hosts } from '../hosts/hosts.ts'
import { SimulatedHost } from '../hosts/simulated/simulated-host.ts'
import { TestAgent } from '../testing/agent/test-agent.ts'
import { eventually } from '../testing/eventually.ts'
import { writeVolumeImage } from '../testing/volumes/volume-image.ts'

const mebibyte = 1024 * 1024
/** What Linux keeps of a connection on the loopback interface, on both sides, and some replies that were taken. */
const onTheWayMaxBytes = 24 * mebibyte
/** More than the agent has ever read of one reply. */
const floodBytes = 200 * mebibyte
const piece = Buffer.alloc(mebibyte, 'x')
const png = Buffer.from('89504e470d0a1a0a00000000', 'hex')
const retryPolicy = { firstMs: 5, largestMs: 20, giveUpAfterMs: 100 }

/** Streams until nobody takes it any more. Resolves to how much was taken. */
async function flood(response: ServerResponse): Promise<number> {
  let takenBytes = 0
  let isGone = false
  response.on('error', () => {})
  response.on('close', () => {
    isGone = true
  })
  while (!isGone && takenBytes < floodBytes) {
    await new Promise<void>((resolve) => {
      response.once('close', resolve)
      response.write(piece, () => resolve())
    })
    if (!isGone) takenBytes += piece.length
  }
  response.destroy()
  return takenBytes
}

/** An agent with a revision, whose server floods it when it is asked for one thing. */
async function setUp(t: TestContext, status: number) {
  const host = new SimulatedHost({ serialOutput: 'web01 login: ', screen: { png, text: '' } })
  const agent = await TestAgent.start(t, {
    retryPolicy,
    hosts: new Hosts([{ name: 'hv01', driver: host.driver() }]),
  })
  const image = join(agent.directory, 'image.raw')
  writeVolumeImage(image, 5 * mebibyte)
  const { server } = agent
  const revision = await server.backUp('b1', { path: image })
  const amounts: number[] = []
  const floods = (name: string, method = 'GET') => {
    server.interfere = (request, response) => {
      const isAsked = request.method === method && request.url?.replace(/\?.*$/, '').split('/').includes(name)
      if (!isAsked) return false
      request.resume()
      response.writeHead(status)
      flood(response).then((bytes) => amounts.push(bytes))
      return true
    }
  }
  const backUp = () => {
    const id = randomUUID()
    server.chunks.clear()
    const outcome = server.outcomeOf(id)
    server.start({ type: 'start-backup', id, source: { path: image } })
    return outcome
  }
  const restore = () => server.restore(randomUUID(), agent.target, 'Vhdx', [revision])
  const prove = () => {
    const id = randomUUID()
    const outcome = server.outcomeOf(id)
    const proof = { timeoutSeconds: 60 }
    server.start(server.machineMessage(id, agent.target, [revision], { start: false, proof }))
    return outcome
  }
  const compare = async (): Promise<Outcome> => {
    const comparison = await server.compare({ path: image }, revision)
    return 'failure' in comparison
      ? { state: 'ERROR', code: 'ServerUnreachable', message: comparison.failure }
      : { state: 'SUCCESS' }
  }
  return { agent, amounts, floods, backUp, restore, prove, compare }
}

for (const status of [200, 403, 503]) {
  test(`no reply takes more memory than what was asked for: ${status}`, async (t) => {
    const { agent, amounts, floods, backUp, restore, prove, compare } = await setUp(t, status)
    const cases = [
      ['keys', 'GET', backUp],
      ['missing', 'POST', backUp],
      ['chunks', 'POST', backUp],
      ['commit', 'POST', backUp],
      ['presence', 'GET', restore],
      ['chunks', 'GET', restore],
      ['ids', 'GET', compare],
      ['screenshot', 'POST', prove],
    ] as const
    let ran = 0
    for (const [name, method, act] of cases) {
      amounts.length = 0
      floods(name, method)
      const outcome = await act()
      // A verdict without a picture is worth more than none.
      const expected = name === 'screenshot' ? 'SUCCESS' : 'ERROR'
      assert.equal(outcome.state, expected, `${name}: ${JSON.stringify(outcome)}`)
      await eventually(`the end of ${name}`, () => amounts.length > 0)
      assert.ok(Math.max(...amounts) <= onTheWayMaxBytes, `${name}: ${amounts}`)
      ran++
    }
    assert.equal(ran, cases.length)
    agent.server.interfere = () => false
    assert.equal((await restore()).state, 'SUCCESS')
  })
}

test('an enrolment that is answered without an end ends', async (t) => {
  const agent = await TestAgent.prepare(t, { retryPolicy })
  const amounts: number[] = []
  agent.server.interfere = (request, response) => {
    if (!request.url?.endsWith('/enrol')) return false
    request.resume()
    response.writeHead(403)
    flood(response).then((bytes) => amounts.push(bytes))
    return true
  }
  await assert.rejects(agent.start(), AgentRefused)
  await eventually('the end of the answer', () => amounts.length === 1)
  assert.ok(Math.max(...amounts) <= onTheWayMaxBytes, `${amounts}`)
})

test('a message that is too large ends the link, and the agent comes back', async (t) => {
  const agent = await TestAgent.start(t)
  const hello = agent.server.messageOf(({ type }) => type === 'hello')
  agent.server.link.send('x'.repeat(serverMessageSizeMaxBytes + 1))
  await hello
  assert.ok(agent.log.some((line) => line.includes('Max payload size exceeded')))
})

test('a server that asks, and reads no answer, is left', async (t) => {
  const agent = await TestAgent.start(t)
  const { server } = agent
  const { link } = server
  link.pause()
  const hello = server.messageOf(({ type }) => type === 'hello')
  const ping = Buffer.alloc(125)
  const flooding = setInterval(() => {
    for (let count = 0; count < 2000; count++) link.ping(ping)
  }, 5)
  t.after(() => clearInterval(flooding))
  await hello
  clearInterval(flooding)
  const reasons = agent.log.filter((line) => line.includes('has stopped reading'))
  assert.equal(reasons.length, 1, agent.log.join(''))
})

test('more tasks and questions than any server has are not kept', async (t) => {
  const agent = await TestAgent.start(t)
  const { server } = agent
  server.acknowledges = false
  for (let count = 0; count < 5000; count++) server.say({ type: 'cancel', task: 'backup', id: `b${count}` })
  for (let count = 0; count < 1000; count++) server.say({ type: 'discover-volumes', id: `q${count}` })
  const refusals = (words: string) => agent.log.filter((line) => line.includes(words)).length
  await eventually('the refusal of 904 tasks', () => refusals('has started too many') === 904)
  assert.ok(refusals('32 other questions are not answered yet') > 0)
  const ended = () => server.messages.filter(({ type }) => type === 'finished').length
  await eventually('the end of the others', () => ended() >= 4096)
  assert.equal(ended(), 4096)
})

test('restores whose messages would fill the memory do not wait', async (t) => {
  const agent = await TestAgent.start(t)
  const { server } = agent
  const image = join(agent.directory, 'image.raw')
  writeVolumeImage(image, mebibyte)
  const revision = await server.backUp('b1', { path: image })
  // The first one holds up the others.
  server.interfere = ({ url = '' }) => url.includes('/presence')
  for (let count = 0; count < 10; count++) {
    const fileName = 'x'.repeat(15 * mebibyte)
    server.say(server.restoreMessage(`r${count}`, agent.target, 'Vhdx', [revision], fileName))
  }
  const refusals = () => agent.log.filter((line) => line.includes('has started too many')).length
  await eventually('the refusal of all but four', () => refusals() === 6)
})

test('a restore whose plan would fill the memory ends before the server is asked for it', async (t) => {
  const agent = await TestAgent.start(t)
  const { server } = agent
  const image = join(agent.directory, 'image.raw')
  writeVolumeImage(image, mebibyte)
  const revision = await server.backUp('b1', { path: image })
  const message = server.restoreMessage('r1', agent.target, 'Vhdx', [revision])
  assert.ok(message.type === 'start-restore')
  const [firstRevision] = message.revisions
  assert.ok(firstRevision)
  const volume = { ...firstRevision.volume, capacityBytes: chunkCountMax * chunkSizeMinBytes }
  const large = { ...firstRevision, volume, chunkSizeBytes: chunkSizeMinBytes, chunkCount: chunkCountMax }
  const outcome = server.outcomeOf('r1')
  server.start({ ...message, revisions: [large, large] })
  const ended = await outcome
  assert.ok(ended.state === 'ERROR')
  assert.match(ended.message, /restore the volumes one by one/)
  assert.equal(server.requestCounts.get('presence'), undefined)
})
