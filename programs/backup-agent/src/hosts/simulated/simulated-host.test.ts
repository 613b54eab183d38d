import assert from 'node:assert/strict'
import { test } from 'node:test'
import { temporaryDirectory } from '../../testing/temporary-directory.ts'
import { HostFailure } from '../failure.ts'
import { machine, testHostConformance } from '../testing/conformance.ts'
import type { HostUnderTest } from '../testing/host-under-test.ts'
import { SimulatedHost } from './simulated-host.ts'
import type { SimulatedLimits } from './simulated-hypervisor.ts'

function hostWith(t: Parameters<typeof temporaryDirectory>[0], limits: Partial<SimulatedLimits> = {}) {
  const host = new SimulatedHost({ guestsObey: false, ...limits })
  const underTest: HostUnderTest = {
    driver: host.driver(),
    again: () => host.driver(),
    directory: temporaryDirectory(t),
    switchId: host.limits.switches[0]?.id ?? '',
  }
  return { host, underTest }
}

testHostConformance('simulated host', async (t) => hostWith(t).underTest)

test('a simulated host without VHDX and UEFI, and with little memory, refuses them', async (t) => {
  const { capabilities } = new SimulatedHost().limits
  const { underTest } = hostWith(t, {
    capabilities: {
      ...capabilities,
      firmware: ['bios'],
      diskFormats: ['vhd', 'raw'],
      memoryMebibytes: { default: 64, minimum: 32, maximum: 128, increment: 2 },
    },
  })
  const { driver } = underTest
  const definition = machine(underTest)
  const problemOf = async (difference: object) => {
    const error: unknown = await driver
      .define({ ...definition, ...difference })
      .catch((thrown: unknown) => thrown)
    return error instanceof HostFailure ? error.problem : error
  }
  assert.deepEqual(await problemOf({ firmware: 'uefi' }), { code: 'firmware-unsupported', firmware: 'uefi' })
  assert.deepEqual(await problemOf({ disks: [{ path: '/x.vhdx', format: 'vhdx' }] }), {
    code: 'format-unsupported',
    format: 'vhdx',
  })
  assert.deepEqual(await problemOf({ memoryMebibytes: 4096 }), {
    code: 'memory-out-of-range',
    minimum: 32,
    maximum: 128,
    provided: 4096,
  })
  await driver.define(definition)
})

test('what is left of a definition that was cut off is listed, and can be completed or removed', async (t) => {
  const { host, underTest } = hostWith(t)
  const definition = machine(underTest)
  host.failNext('complete-definition', new Error('killed'))
  await assert.rejects(underTest.driver.define(definition), /killed/)
  assert.deepEqual(
    (await underTest.again().list()).map(({ id, state }) => ({ id, state })),
    [{ id: definition.id, state: 'unfinished' }],
  )
  await underTest.again().define(definition)
  assert.equal(await underTest.driver.state(definition.id), 'off')
  host.failNext('remove', new Error('killed'))
  await assert.rejects(underTest.driver.remove(definition.id, { disks: true }), /killed/)
  await underTest.again().remove(definition.id, { disks: true })
  assert.deepEqual(await underTest.driver.list(), [])
})
