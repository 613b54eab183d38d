import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Outcome } from '@palisade/agent-protocol'
import { simulatedMachinesIn } from '../hosts/simulated/simulated-host-in-folder.ts'
import type {
  SimulatedLimits,
  SimulatedMachine,
  SimulatedStep,
} from '../hosts/simulated/simulated-hypervisor.ts'
import { agentProgram, end } from '../testing/agent/agent-program.ts'
import { ProtocolServer } from '../testing/agent/protocol-server.ts'
import { eventually } from '../testing/eventually.ts'
import { type Scope, scopeOfFile } from '../testing/scope.ts'
import { temporaryDirectory } from '../testing/temporary-directory.ts'
import { writeVolumeImage } from '../testing/volumes/volume-image.ts'

const mebibyte = 1024 * 1024
const timeout = 240_000
/** From before the first byte to after the last one, as it goes on a slow machine. */
const killAfterMsMax = 600
const randomKills = 4

/** A server, an agent that is a program of its own, a host that outlives it, and a revision to restore. */
class Bench {
  readonly server: ProtocolServer
  readonly host: string
  readonly revision: number
  readonly start: () => Promise<ChildProcess>
  agent: ChildProcess
  /** A new folder for each restore to make its disks in. */
  target = ''
  readonly #directory: string
  /** The ids of the machines of restores before. */
  #earlier: ReadonlySet<string> = new Set()

  private constructor(
    directory: string,
    parts: Pick<Bench, 'server' | 'host' | 'revision' | 'start' | 'agent'>,
  ) {
    this.#directory = directory
    this.server = parts.server
    this.host = parts.host
    this.revision = parts.revision
    this.start = parts.start
    this.agent = parts.agent
    this.renew()
  }

  static async setUp(t: Scope, limits: Partial<SimulatedLimits> = {}): Promise<Bench> {
    const directory = temporaryDirectory(t)
    const host = join(directory, 'host')
    mkdirSync(host)
    writeFileSync(join(host, 'limits.json'), JSON.stringify(limits))
    const image = join(directory, 'image.raw')
    writeVolumeImage(image, 24 * mebibyte)
    const server = await ProtocolServer.start()
    t.after(() => server.stop())
    const start = agentProgram(t, server, join(directory, 'state'), ['--host', `simulated:${host}`])
    const agent = await start()
    const revision = await server.backUp('b1', { path: image })
    return new Bench(directory, { server, host, revision, start, agent })
  }

  /** Makes room for another restore: the machines that there are count no more. */
  renew(): void {
    this.#earlier = new Set(simulatedMachinesIn(this.host).map(({ definition }) => definition.id))
    this.target = join(this.#directory, randomUUID())
  }

  /** The machines that the host has got since the last {@link renew}. */
  machines(): readonly SimulatedMachine[] {
    return simulatedMachinesIn(this.host).filter(({ definition }) => !this.#earlier.has(definition.id))
  }

  /** Begins a restore. @returns its id, which the machine has too */
  restore(): string {
    const id = randomUUID()
    this.server.start(this.server.machineMessage(id, this.target, [this.revision]))
    return id
  }

  /** From now on the host waits before this step. @returns resolves when it has come to it */
  pauseAt(step: SimulatedStep): () => Promise<void> {
    rmSync(join(this.host, `at-${step}`), { force: true })
    writeFileSync(join(this.host, `pause-${step}`), '')
    return () => eventually(`coming to ${step}`, () => existsSync(join(this.host, `at-${step}`)))
  }

  goOn(step: SimulatedStep): void {
    rmSync(join(this.host, `pause-${step}`))
  }

  /** Kills the agent and starts it again. @returns how the restore ended, now or before the kill */
  async killAndStart(id: string, between: () => void = () => undefined): Promise<Outcome> {
    await end(this.agent, 'SIGKILL')
    between()
    const outcome = this.outcomeOf(id)
    this.agent = await this.start()
    return outcome
  }

  async outcomeOf(id: string): Promise<Outcome> {
    for (const message of this.server.messages) {
      if (message.type === 'finished' && message.id === id) return message.outcome
    }
    return this.server.outcomeOf(id)
  }

  /** There is one whole machine that runs, with its disk, and nothing else. */
  requireMachine(id: string, outcome: Outcome): void {
    const disk = join(this.target, 'disk.vhdx')
    const machine = { id, name: `machine ${id}`, isStarted: true }
    assert.deepEqual(outcome, { state: 'SUCCESS', files: [disk], machine })
    const machines = this.machines()
    assert.deepEqual(
      machines.map(({ definition, isComplete, isRunning }) => [definition.id, isComplete, isRunning]),
      [[id, true, true]],
    )
    assert.deepEqual(machines[0]?.definition.disks, [{ path: disk, format: 'vhdx' }])
    assert.deepEqual(readdirSync(this.target), ['disk.vhdx'])
  }

  requireNothing(): void {
    assert.deepEqual(this.machines(), [])
    assert.deepEqual(existsSync(this.target) ? readdirSync(this.target) : [], [])
  }
}

const file = scopeOfFile()
let shared: Promise<Bench> | undefined

/** The bench that the tests of this file share, with nothing on it that counts. */
async function cleanBench(): Promise<Bench> {
  shared ??= Bench.setUp(file)
  const bench = await shared
  bench.renew()
  return bench
}

for (const step of ['define', 'complete-definition', 'start'] as const) {
  test(`an agent that is killed before the host comes to "${step}" goes on to a whole machine`, {
    timeout,
  }, async () => {
    const bench = await cleanBench()
    const arrived = bench.pauseAt(step)
    const id = bench.restore()
    await arrived()
    bench.requireMachine(id, await bench.killAndStart(id, () => bench.goOn(step)))
  })

  test(`a restore that is cancelled and killed before "${step}" leaves nothing`, { timeout }, async () => {
    const bench = await cleanBench()
    const arrived = bench.pauseAt(step)
    const removing = bench.pauseAt('remove')
    const id = bench.restore()
    await arrived()
    bench.server.say({ type: 'cancel', task: 'restore', id })
    bench.goOn(step)
    // Before the machine is known there is nothing to remove, and the host is not asked twice.
    await Promise.race([removing(), bench.outcomeOf(id)])
    const outcome = await bench.killAndStart(id, () => bench.goOn('remove'))
    assert.deepEqual(outcome, { state: 'CANCELED' })
    bench.requireNothing()
  })
}

test('an agent that is killed while it proves a machine begins the proof again, and leaves nothing', {
  timeout,
}, async () => {
  const bench = await cleanBench()
  const id = randomUUID()
  const proof = { timeoutSeconds: 2 }
  const machine = { start: false, proof }
  bench.server.start(bench.server.machineMessage(id, bench.target, [bench.revision], machine))
  await eventually('the machine running', () => bench.machines().some(({ isRunning }) => isRunning))
  const outcome = await bench.killAndStart(id)
  assert.ok(outcome.state === 'SUCCESS' && outcome.proof, JSON.stringify(outcome))
  assert.equal(outcome.proof.verdict, 'unclear')
  assert.ok(outcome.proof.tookMs >= 2000, 'the machine was started anew')
  bench.requireNothing()
})

test('a machine that depends on an agent that is killed is removed with all it was read by, and the restore says so', {
  timeout,
}, async (t) => {
  const temporary = temporaryDirectory(t)
  const { TMPDIR: usual } = process.env
  process.env.TMPDIR = temporary
  t.after(() => {
    if (usual === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = usual
  })
  const bench = await Bench.setUp(t, { startsInstantly: true })
  const before = readdirSync(temporary)
  const copying = bench.pauseAt('move-over')
  const id = randomUUID()
  const machine = { start: true, instantStart: true }
  bench.server.start(bench.server.machineMessage(id, bench.target, [bench.revision], machine))
  await copying()
  assert.ok(bench.machines().some(({ isRunning, needsOrigins }) => isRunning && needsOrigins))
  const outcome = await bench.killAndStart(id, () => bench.goOn('move-over'))
  assert.ok(outcome.state === 'ERROR', JSON.stringify(outcome))
  assert.match(outcome.message, /before the disks of the machine .* were copied, and the machine with it/)
  bench.requireNothing()
  assert.deepEqual(readdirSync(temporary), before)
})

test('an agent that is killed while it writes leaves nothing to the host, and does it all again', {
  timeout,
}, async () => {
  const bench = await cleanBench()
  const arrival = Promise.withResolvers<void>()
  bench.server.interfere = (request) => {
    if (!request.url?.includes('?from=')) return false
    arrival.resolve()
    return true
  }
  const id = bench.restore()
  await arrival.promise
  const outcome = await bench.killAndStart(id, () => {
    assert.deepEqual(bench.machines(), [])
    assert.ok(readdirSync(bench.target).every((name) => name.endsWith('.partial')))
    bench.server.interfere = () => false
  })
  bench.requireMachine(id, outcome)
})

test('a server that goes while the machine is made hears of it when it is back', { timeout }, async () => {
  const bench = await cleanBench()
  const arrived = bench.pauseAt('complete-definition')
  const id = bench.restore()
  await arrived()
  await bench.server.stop()
  bench.goOn('complete-definition')
  await eventually('the machine', () => bench.machines()[0]?.isRunning === true)
  const outcome = bench.server.outcomeOf(id)
  await bench.server.resume()
  bench.requireMachine(id, await outcome)
})

test(`an agent that is killed at ${randomKills} moments makes one machine each time`, {
  timeout,
}, async () => {
  const bench = await cleanBench()
  for (let round = 0; round < randomKills; round++) {
    const id = bench.restore()
    await sleep(((round + Math.random()) * killAfterMsMax) / randomKills)
    bench.requireMachine(id, await bench.killAndStart(id))
    bench.renew()
  }
})
