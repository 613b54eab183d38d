import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Outcome } from '@palisade/agent-protocol'
import { HostFailure, type HostProblem } from '../hosts/failure.ts'
import { Hosts } from '../hosts/hosts.ts'
import { SimulatedHost } from '../hosts/simulated/simulated-host.ts'
import type { SimulatedLimits, SimulatedStep } from '../hosts/simulated/simulated-hypervisor.ts'
import { TestAgent } from '../testing/agent/test-agent.ts'
import { writeVolumeImage } from '../testing/volumes/volume-image.ts'

const mebibyte = 1024 * 1024

type MachineMessage = ReturnType<TestAgent['server']['machineMessage']>

/** An agent with a simulated host that is called hv01, and a revision. */
async function setUp(t: TestContext, limits: Partial<SimulatedLimits> = {}) {
  const host = new SimulatedHost(limits)
  const agent = await TestAgent.start(t, {
    hosts: new Hosts([{ name: 'hv01', driver: host.driver() }]),
    retryPolicy: { firstMs: 5, largestMs: 50, giveUpAfterMs: 1_000 },
  })
  const image = join(agent.directory, 'image.raw')
  writeVolumeImage(image, 5 * mebibyte)
  const revision = await agent.server.backUp('b1', { path: image })
  const restore = async (machine: Partial<MachineMessage['machine']> = {}, more: object = {}) => {
    const id = randomUUID()
    const outcome = agent.server.outcomeOf(id)
    agent.server.start({ ...agent.server.machineMessage(id, agent.target, [revision], machine), ...more })
    return { id, outcome: await outcome }
  }
  return { host, agent, restore }
}

function failing(problem: HostProblem) {
  return new HostFailure(problem, 'the host says so')
}

function requireNothing({ host, agent }: { host: SimulatedHost; agent: TestAgent }): void {
  assert.equal(host.machines.size, 0)
  assert.deepEqual(existsSync(agent.target) ? readdirSync(agent.target) : [], [])
}

function failureOf(outcome: Outcome): { code: string; message: string } {
  return outcome.state === 'ERROR' ? outcome : assert.fail(JSON.stringify(outcome))
}

test('a machine is made as it was asked for, and started only when that was asked for', async (t) => {
  const { host, agent, restore } = await setUp(t)
  const switchId = host.limits.switches[0]?.id ?? ''
  for (const start of [false, true]) {
    const { id, outcome } = await restore({
      switchId,
      firmware: 'uefi',
      cores: 3,
      memoryMebibytes: 96,
      start,
    })
    const machine = { id, name: `machine ${id}`, isStarted: start }
    const files = outcome.state === 'SUCCESS' ? (outcome.files ?? []) : []
    assert.deepEqual(outcome, { state: 'SUCCESS', files, machine })
    const machineOnHost = host.machines.get(id)
    assert.deepEqual(machineOnHost?.definition, {
      id,
      name: `machine ${id}`,
      firmware: 'uefi',
      cores: 3,
      memoryMebibytes: 96,
      switchId,
      disks: files.map((path) => ({ path, format: 'vhdx' })),
    })
    assert.deepEqual([machineOnHost?.isComplete, machineOnHost?.isRunning], [true, start])
  }
  assert.deepEqual(readdirSync(agent.target), ['disk-2.vhdx', 'disk.vhdx'])
})

test('a host is found by the name that the operator gave it, in any case of letters', async (t) => {
  const { restore } = await setUp(t)
  assert.equal((await restore({ host: { hostName: 'HV01' } })).outcome.state, 'SUCCESS')
  const { outcome } = await restore({ host: { hostName: 'hv02' } })
  assert.match(failureOf(outcome).message, /no hypervisor called hv02/)
})

test('what the host would refuse is refused before anything is written', async (t) => {
  const { host, agent, restore } = await setUp(t)
  host.foreignNames.add('taken')
  const cases: [Partial<MachineMessage['machine']>, RegExp][] = [
    [{ name: 'taken' }, /another machine on this host is called taken/],
    [{ cores: 9 }, /1 to 8 cores, not 9/],
    [{ memoryMebibytes: 1 }, /not 1/],
    [{ switchId: randomUUID() }, /no virtual switch/],
    [{ name: 'a'.repeat(101) }, /name must be 1 to 100/],
  ]
  for (const [machine, message] of cases) {
    const { outcome } = await restore(machine)
    assert.equal(failureOf(outcome).code, 'HostFailed')
    assert.match(failureOf(outcome).message, message)
  }
  assert.ok(!existsSync(agent.target), 'not even the folder was made')
})

test('a host that fails while the machine is made leaves nothing of it', async (t) => {
  const bench = await setUp(t)
  for (const step of ['define', 'complete-definition'] as const) {
    bench.host.failNext(step, failing({ code: 'host-error' }))
    const { outcome } = await bench.restore()
    assert.deepEqual(outcome, { state: 'ERROR', code: 'HostFailed', message: 'the host says so' })
    requireNothing(bench)
  }
})

test('a host that is away for a moment is asked again', async (t) => {
  const { host, restore } = await setUp(t)
  for (const step of ['define', 'complete-definition', 'start'] as const) {
    host.failNext(step, failing({ code: 'host-unreachable' }))
    assert.equal((await restore()).outcome.state, 'SUCCESS', step)
  }
})

test('a machine that is whole and does not start is kept, and said to be there', async (t) => {
  const { host, restore } = await setUp(t)
  host.failNext('start', failing({ code: 'host-error' }))
  const { id, outcome } = await restore()
  assert.deepEqual([failureOf(outcome).code, outcome.state], ['MachineNotStarted', 'ERROR'])
  assert.match(failureOf(outcome).message, /is whole and does not start: .*the host says so/)
  const machine = 'machine' in outcome ? outcome.machine : undefined
  assert.deepEqual(machine, { id, name: `machine ${id}`, isStarted: false })
  assert.deepEqual([host.machines.get(id)?.isComplete, host.machines.get(id)?.isRunning], [true, false])
})

test('what cannot be taken back is named', async (t) => {
  const { host, agent, restore } = await setUp(t)
  host.failNext('complete-definition', failing({ code: 'host-error' }))
  host.failNext('remove', failing({ code: 'host-error' }))
  const { id, outcome } = await restore()
  assert.match(
    failureOf(outcome).message,
    new RegExp(`this may be left and cannot be removed: the machine machine ${id}`),
  )
  assert.deepEqual(readdirSync(agent.target), [])
})

test('a restore that is cancelled while the host is at it takes everything back', async (t) => {
  const bench = await setUp(t)
  const { host, agent } = bench
  let cancel: () => void = () => undefined
  const enter = host.enter.bind(host)
  const steps: SimulatedStep[] = ['define', 'complete-definition', 'start']
  for (const step of steps) {
    host.enter = async (entered) => {
      if (entered === step) {
        cancel()
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      await enter(entered)
    }
    const id = randomUUID()
    cancel = () => agent.server.say({ type: 'cancel', task: 'restore', id })
    const ended = agent.server.outcomeOf(id)
    agent.server.start(agent.server.machineMessage(id, agent.target, [1]))
    assert.deepEqual(await ended, { state: 'CANCELED' }, step)
    requireNothing(bench)
  }
})

test('credentials of the host are readable in no file of the agent while the machine is made', async (t) => {
  const { host, agent, restore } = await setUp(t)
  const texts: string[] = []
  const enter = host.enter.bind(host)
  host.enter = async (step) => {
    const journal = join(agent.stateDirectory, 'journal')
    for (const name of readdirSync(journal)) texts.push(readFileSync(join(journal, name), 'utf8'))
    await enter(step)
  }
  const { outcome } = await restore({
    host: { hostName: 'hv01', credentials: { username: 'administrator', password: 'pa55-of-the-host' } },
  })
  assert.equal(outcome.state, 'SUCCESS')
  assert.ok(texts.some((text) => text.includes('sealedLogon')))
  assert.doesNotMatch([...texts, ...agent.log].join('\n'), /pa55-of-the-host/)
})

test('a file that somebody else put there is not taken for a disk when a machine is taken back', async (t) => {
  const { host, agent, restore } = await setUp(t)
  await restore()
  const foreign = join(agent.target, 'disk-2.vhdx')
  writeFileSync(foreign, 'somebody else')
  host.failNext('define', failing({ code: 'host-error' }))
  assert.equal((await restore()).outcome.state, 'ERROR')
  assert.deepEqual(readdirSync(agent.target), ['disk-2.vhdx', 'disk.vhdx'])
  assert.equal(readFileSync(foreign, 'utf8'), 'somebody else')
})
