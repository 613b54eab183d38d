import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { MachineToMake, Outcome } from '@palisade/agent-protocol'
import { screenshotSizeMaxBytes } from '@palisade/agent-protocol'
import { HostFailure } from '../hosts/failure.ts'
import { Hosts } from '../hosts/hosts.ts'
import { SimulatedHost } from '../hosts/simulated/simulated-host.ts'
import type { SimulatedLimits } from '../hosts/simulated/simulated-hypervisor.ts'
import { TestAgent } from '../testing/agent/test-agent.ts'
import { eventually } from '../testing/eventually.ts'
import { writeVolumeImage } from '../testing/volumes/volume-image.ts'

const png = Buffer.from('89504e470d0a1a0a00000000', 'hex')

/** An agent with a simulated host whose guests say and show something, and a revision. */
async function setUp(t: TestContext, limits: Partial<SimulatedLimits>) {
  const host = new SimulatedHost(limits)
  const agent = await TestAgent.start(t, {
    hosts: new Hosts([{ name: 'hv01', driver: host.driver() }]),
    retryPolicy: { firstMs: 5, largestMs: 50, giveUpAfterMs: 1_000 },
  })
  const image = join(agent.directory, 'image.raw')
  writeVolumeImage(image, 5 * 1024 * 1024)
  const revision = await agent.server.backUp('b1', { path: image })
  const begin = (more: Partial<MachineToMake> = {}) => {
    const id = randomUUID()
    const outcome = agent.server.outcomeOf(id)
    const machine = { start: false, proof: { timeoutSeconds: 600 }, ...more }
    agent.server.start(agent.server.machineMessage(id, agent.target, [revision], machine))
    return { id, outcome }
  }
  const requireNothing = () => {
    assert.equal(host.machines.size, 0)
    assert.deepEqual(existsSync(agent.target) ? readdirSync(agent.target) : [], [])
  }
  return { host, agent, begin, requireNothing }
}

function proofOf(outcome: Outcome) {
  assert.equal(outcome.state, 'SUCCESS', JSON.stringify(outcome))
  assert.ok(outcome.state === 'SUCCESS' && outcome.proof)
  assert.deepEqual([outcome.files, outcome.machine], [[], undefined])
  return outcome.proof
}

test('what came of a proof is told with its picture, and neither machine nor disk is left', async (t) => {
  const cases = [
    ['web01 login: ', 600, 'runs', /asks who logs in/],
    ['No bootable device.\n', 600, 'fails', /nothing to start from/],
    ['hello\n', 1, 'unclear', /said neither/],
  ] as const
  let ran = 0
  for (const [serialOutput, timeoutSeconds, verdict, reason] of cases) {
    const { agent, begin, requireNothing } = await setUp(t, { serialOutput, screen: { png, text: '' } })
    const proof = proofOf(await begin({ proof: { timeoutSeconds } }).outcome)
    assert.equal(proof.verdict, verdict)
    assert.match(proof.reason, reason)
    assert.deepEqual(agent.server.screenshots, [png])
    requireNothing()
    ran++
  }
  assert.equal(ran, cases.length)
})

test('a sign of one’s own is read word for word', async (t) => {
  const { begin } = await setUp(t, { serialOutput: 'the [shop] is open (1+1)\n' })
  const proof = (sign: string) => begin({ proof: { timeoutSeconds: 1, sign } }).outcome
  assert.equal(proofOf(await proof('[shop] is open (1+1)')).verdict, 'runs')
  assert.equal(proofOf(await proof('the .shop. is')).verdict, 'unclear')
})

test('a machine that is proved has no network, whatever was asked for', async (t) => {
  const { host, begin } = await setUp(t, { serialOutput: 'x login: ' })
  const switches: (string | undefined)[] = []
  const enter = host.enter.bind(host)
  host.enter = async (step) => {
    if (step === 'start') switches.push(...[...host.machines.values()].map((one) => one.definition.switchId))
    await enter(step)
  }
  proofOf(await begin({ switchId: host.limits.switches[0]?.id ?? '' }).outcome)
  assert.deepEqual(switches, [undefined])
})

test('a picture that is none, is too large, or is not taken by the server, costs no verdict', async (t) => {
  const large = Buffer.concat([png, Buffer.alloc(screenshotSizeMaxBytes)])
  let ran = 0
  for (const picture of [Buffer.from('GIF89a'), large, png]) {
    const { agent, begin } = await setUp(t, { serialOutput: 'x login: ', screen: { png: picture, text: '' } })
    agent.server.interfere = (request, response) => {
      if (!request.url?.endsWith('/screenshot')) return false
      response.writeHead(400).end()
      return true
    }
    assert.equal(proofOf(await begin().outcome).verdict, 'runs')
    assert.deepEqual(agent.server.screenshots, [])
    ran++
  }
  assert.equal(ran, 3)
})

test('a host that does not start the machine is an error and no verdict, and leaves nothing', async (t) => {
  const { host, begin, requireNothing } = await setUp(t, {})
  host.failNext('start', new HostFailure({ code: 'host-error' }, 'the host says so'))
  const outcome = await begin().outcome
  assert.deepEqual(outcome, { state: 'ERROR', code: 'HostFailed', message: 'the host says so' })
  requireNothing()
})

test('a proof that is cancelled while it watches leaves nothing', async (t) => {
  const { host, agent, begin, requireNothing } = await setUp(t, {})
  const { id, outcome } = begin()
  await eventually('the machine running', () => host.machines.get(id)?.isRunning === true)
  agent.server.say({ type: 'cancel', task: 'restore', id })
  assert.deepEqual(await outcome, { state: 'CANCELED' })
  requireNothing()
})
