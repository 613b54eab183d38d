import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { existsSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { HostFailure, type HostProblemCode } from '../failure.ts'
import type { MachineDefinition } from '../machine.ts'
import type { CreateHost, HostUnderTest } from './host-under-test.ts'

const timeout = 60_000

/**
 * Everything in the contract of `HostDriver` that can be seen without a guest: the machines of these tests have an
 * empty disk and start nothing. Every driver runs this.
 */
export function testHostConformance(kind: string, create: CreateHost): void {
  const fact = (title: string, check: (host: HostUnderTest) => Promise<void>) =>
    test(`${kind}: ${title}`, { timeout }, async (t) => {
      const host = await create(t)
      if (host !== undefined) await check(host)
    })

  fact('can be used, and says what it offers', async ({ driver, switchId }) => {
    assert.deepEqual(await driver.unsupportedReasons(), [])
    const { hypervisor, cores, memoryMebibytes, diskFormats, firmware } = await driver.capabilities()
    assert.ok(hypervisor.name.length > 0 && hypervisor.version.length > 0)
    for (const { minimum, maximum, default: usual, increment } of [cores, memoryMebibytes]) {
      assert.ok(0 < minimum && minimum <= usual && usual <= maximum && increment > 0)
    }
    assert.ok(diskFormats.length > 0 && firmware.length > 0)
    assert.ok((await driver.virtualSwitches()).some(({ id, name }) => id === switchId && name.length > 0))
    const { virtualDisksPath, machinesPath } = await driver.settings()
    assert.ok(virtualDisksPath.length > 0 && machinesPath.length > 0)
  })

  fact('keeps a defined machine, for other drivers too', async (host) => {
    const definition = { ...machine(host), switchId: host.switchId }
    await host.driver.define(definition)
    for (const driver of [host.driver, host.again()]) {
      assert.deepEqual(await driver.list(), [{ id: definition.id, name: definition.name, state: 'off' }])
      assert.equal(await driver.state(definition.id), 'off')
      assert.deepEqual(await driver.find(definition.name), { name: definition.name, id: definition.id })
      assert.equal(await driver.find('another'), undefined)
    }
  })

  fact('defines the same machine once, however often it is asked', async (host) => {
    const definition = machine(host)
    await host.driver.define(definition)
    await host.again().define(definition)
    assert.equal((await host.driver.list()).length, 1)
    const different = { ...definition, memoryMebibytes: definition.memoryMebibytes + 2 }
    await refuses('machine-differs', host.driver.define(different))
    await refuses('name-taken', host.driver.define({ ...definition, id: randomUUID() }))
    assert.equal((await host.driver.list()).length, 1)
  })

  fact('refuses what it cannot do, and leaves nothing of it', async (host) => {
    const definition = machine(host)
    const { cores, memoryMebibytes, disksMaximum } = await host.driver.capabilities()
    const { diskFormat: format = 'raw' } = host
    const many = Array.from({ length: disksMaximum.bios + 1 }, () => emptyDisk(host))
    const cases: readonly (readonly [HostProblemCode, Partial<MachineDefinition>])[] = [
      ['cores-out-of-range', { cores: cores.maximum + 1 }],
      ['cores-out-of-range', { cores: 0 }],
      ['memory-out-of-range', { memoryMebibytes: 2 * memoryMebibytes.maximum }],
      ['disks-out-of-range', { disks: [] }],
      ['disks-out-of-range', { disks: many }],
      ['disk-unusable', { disks: [{ path: join(host.directory, 'absent'), format }] }],
      ['switch-absent', { switchId: randomUUID() }],
      ['definition-invalid', { id: '../../etc' }],
      ['definition-invalid', { name: '' }],
      ['definition-invalid', { name: 'two\nlines' }],
      ['definition-invalid', { name: 'n'.repeat(101) }],
      ['definition-invalid', { cores: 1.5 }],
      ['definition-invalid', { disks: [{ path: 'relative', format }] }],
    ]
    for (const [code, difference] of cases)
      await refuses(code, host.driver.define({ ...definition, ...difference }))
    assert.deepEqual(await host.driver.list(), [])
  })

  fact('starts and stops a machine, and again', async (host) => {
    const definition = machine(host)
    const { id } = definition
    await host.driver.define(definition)
    assert.equal(await host.driver.stop(id, 0), 'was-off')
    for (let turn = 0; turn < 2; turn++) {
      await host.driver.start(id)
      await host.driver.start(id)
      assert.equal(await host.again().state(id), 'running')
      assert.deepEqual(
        (await host.driver.list()).map(({ state }) => state),
        ['running'],
      )
      assert.equal(await host.again().stop(id, 0), 'hard')
      assert.equal(await host.driver.state(id), 'off')
    }
  })

  fact('does not start a machine whose disk is gone', async (host) => {
    const definition = machine(host)
    await host.driver.define(definition)
    for (const { path } of definition.disks) rmSync(path)
    await refuses('disk-unusable', host.driver.start(definition.id))
    assert.equal(await host.driver.state(definition.id), 'off')
  })

  fact('removes a running machine with its disks, or without', async (host) => {
    for (const disks of [true, false]) {
      const definition = machine(host)
      await host.driver.define(definition)
      await host.driver.start(definition.id)
      await host.again().remove(definition.id, { disks })
      await host.driver.remove(definition.id, { disks })
      assert.equal(await host.driver.state(definition.id), 'absent')
      assert.deepEqual(await host.driver.list(), [])
      for (const { path } of definition.disks) assert.equal(existsSync(path), !disks)
    }
  })

  fact('has nothing to do with machines that are not there', async ({ driver }) => {
    for (const id of [randomUUID(), '../x']) {
      assert.equal(await driver.state(id), 'absent')
      await driver.remove(id, { disks: true })
      await refuses('machine-absent', driver.start(id))
      await refuses('machine-absent', driver.stop(id, 0))
      await refuses('machine-absent', driver.serialOutput(id))
    }
  })

  fact('stops working when it is told so', async (host) => {
    const definition = machine(host)
    const reason = new Error('canceled')
    const aborted = AbortSignal.abort(reason)
    await assert.rejects(host.driver.define(definition, aborted), reason)
    assert.equal(await host.driver.state(definition.id), 'absent')
    await host.driver.define(definition)
    await assert.rejects(host.driver.start(definition.id, aborted), reason)
    assert.equal(await host.driver.state(definition.id), 'off')
  })

  fact('takes names and paths as they are, whatever they mean elsewhere', async (host) => {
    const name = `files,01 "ä" 'q' $(touch x) <&> %PATH%; \`id\``
    const disk = emptyDisk(host, `disk,readonly=on "ä" 'q' $(id) <&>.raw`)
    const definition = { ...machine(host), name, disks: [disk] }
    await host.driver.define(definition)
    assert.deepEqual(await host.again().find(name), { name, id: definition.id })
    await host.driver.start(definition.id)
    assert.equal(await host.driver.state(definition.id), 'running')
    await host.driver.remove(definition.id, { disks: true })
    assert.ok(!existsSync(disk.path))
  })
}

/** A small machine with one empty disk of its own. */
export function machine(host: HostUnderTest): MachineDefinition {
  const id = randomUUID()
  const disks = [emptyDisk(host)]
  return { id, name: `palisade test ${id}`, firmware: 'bios', cores: 1, memoryMebibytes: 64, disks }
}

function emptyDisk(host: HostUnderTest, name = `${randomUUID()}.raw`) {
  const path = join(host.directory, name)
  writeFileSync(path, '')
  truncateSync(path, 1024 * 1024)
  return { path, format: host.diskFormat ?? 'raw' }
}

async function refuses(code: HostProblemCode, attempt: Promise<unknown>): Promise<void> {
  await assert.rejects(attempt, (error) => {
    assert.ok(error instanceof HostFailure, String(error))
    assert.equal(error.problem.code, code)
    return true
  })
}
