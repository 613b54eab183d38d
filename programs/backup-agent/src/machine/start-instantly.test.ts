import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { openDiskFile } from '@palisade/virtual-disk'
import { Hosts } from '../hosts/hosts.ts'
import { SimulatedHost } from '../hosts/simulated/simulated-host.ts'
import type { SimulatedLimits } from '../hosts/simulated/simulated-hypervisor.ts'
import { TestAgent } from '../testing/agent/test-agent.ts'
import { writeVolumeImage } from '../testing/volumes/volume-image.ts'

/** An agent with a simulated host that starts machines at once, and a revision. */
async function setUp(t: TestContext, limits: Partial<SimulatedLimits> = { startsInstantly: true }) {
  const host = new SimulatedHost(limits)
  const agent = await TestAgent.start(t, {
    hosts: new Hosts([{ name: 'hv01', driver: host.driver() }]),
    retryPolicy: { firstMs: 5, largestMs: 50, giveUpAfterMs: 1_000 },
  })
  const image = join(agent.directory, 'image.raw')
  writeVolumeImage(image, 5 * 1024 * 1024)
  const revision = await agent.server.backUp('b1', { path: image })
  const begin = () => {
    const id = randomUUID()
    const outcome = agent.server.outcomeOf(id)
    const machine = { start: true, instantStart: true }
    agent.server.start(agent.server.machineMessage(id, agent.target, [revision], machine))
    return { id, outcome }
  }
  /** Does something when the disks of a running machine are being copied. */
  const whileCopying = (action: () => void | Promise<void>) => {
    const enter = host.enter.bind(host)
    host.enter = async (step) => {
      if (step === 'move-over') await action()
      await enter(step)
    }
  }
  const requireNothing = () => {
    assert.equal(host.machines.size, 0)
    assert.deepEqual(existsSync(agent.target) ? readdirSync(agent.target) : [], [])
  }
  return { host, agent, begin, whileCopying, requireNothing }
}

test('a machine runs while its disks are copied, and the restore ends when they are', async (t) => {
  const { host, agent, begin, whileCopying } = await setUp(t)
  const states: (boolean | undefined)[] = []
  whileCopying(() => {
    for (const { isRunning, needsOrigins } of host.machines.values()) states.push(isRunning, needsOrigins)
  })
  const { id, outcome } = begin()
  const file = join(agent.target, 'disk.vhdx')
  const machine = { id, name: `machine ${id}`, isStarted: true }
  assert.deepEqual(await outcome, { state: 'SUCCESS', files: [file], machine })
  assert.deepEqual(states, [true, true])
  assert.equal(host.machines.get(id)?.needsOrigins, false)
  const steps = agent.server.messages.flatMap((message) =>
    message.type === 'progress' && message.id === id ? [message.step] : [],
  )
  assert.ok(steps.includes('copying'), steps.join())
  // What QEMU copies into is an empty disk of the full size.
  const disk = await openDiskFile(file)
  assert.ok(disk.sizeBytes > 5 * 1024 * 1024)
  await disk.close()
})

test('a host that cannot start machines at once is refused before anything is written', async (t) => {
  const { agent, begin } = await setUp(t, {})
  const outcome = await begin().outcome
  assert.ok(outcome.state === 'ERROR')
  assert.deepEqual([outcome.code, existsSync(agent.target)], ['HostFailed', false])
  assert.match(outcome.message, /cannot start a machine before its disks are copied/)
})

test('a restore that is cancelled while it copies leaves no machine', async (t) => {
  const { agent, begin, whileCopying, requireNothing } = await setUp(t)
  const never = Promise.withResolvers<void>()
  whileCopying(() => {
    agent.server.say({ type: 'cancel', task: 'restore', id })
    return never.promise
  })
  const { id, outcome } = begin()
  assert.deepEqual(await outcome, { state: 'CANCELED' })
  requireNothing()
})

test('a machine that ends before its disks are complete is removed, and the restore says so', async (t) => {
  const { host, begin, whileCopying, requireNothing } = await setUp(t)
  whileCopying(() => {
    for (const machine of host.machines.values()) machine.isRunning = false
  })
  const outcome = await begin().outcome
  assert.ok(outcome.state === 'ERROR')
  assert.equal(outcome.code, 'HostFailed')
  assert.match(outcome.message, /was not moved to its own disks: .*has ended/)
  requireNothing()
})
