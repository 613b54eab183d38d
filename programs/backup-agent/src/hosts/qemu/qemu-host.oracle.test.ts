import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { temporaryDirectory } from '../../testing/temporary-directory.ts'
import { hasTools } from '../../testing/tool.ts'
import { machine, testHostConformance } from '../testing/conformance.ts'
import { testGuestConformance } from '../testing/guest-conformance.ts'
import { directoryWithMachines } from '../testing/host-under-test.ts'
import { type HostToKillOn, testKilledDrivers } from '../testing/kill.ts'
import { chooseAccelerator } from './choose-accelerator.ts'
import { QemuHost } from './qemu-host.ts'

let ports = 0

async function plainQemu(t: TestContext): Promise<HostToKillOn | undefined> {
  if (!hasTools(t, 'qemu-system-x86_64')) return undefined
  const port = 20_000 + ((process.pid * 8 + ports++) % 40_000)
  const switchId = '7c1c3a0e-6a53-4f0d-8a3b-2f6c1f0f9a11'
  const network = { kind: 'multicast', group: '239.80.65.76', port } as const
  const optionsIn = (directory: string) => ({
    machinesPath: join(directory, 'machines'),
    accelerator: 'tcg' as const,
    switches: [{ id: switchId, name: 'test', network }],
  })
  const { directory, driver } = directoryWithMachines(t, (path) => new QemuHost(optionsIn(path)))
  const options = optionsIn(directory)
  return { kind: 'qemu', options, driver, again: () => new QemuHost(options), directory, switchId }
}

testHostConformance('plain QEMU', plainQemu)
testGuestConformance('plain QEMU', plainQemu)
testKilledDrivers('plain QEMU', plainQemu)

test('plain QEMU: a machine whose definition never became complete is unfinished, and can be removed', async (t) => {
  const host = await plainQemu(t)
  if (host === undefined) return
  const definition = machine(host)
  const folder = join(host.options.machinesPath as string, definition.id)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'machine.json.new'), '{"version":')
  assert.deepEqual(await host.driver.list(), [{ id: definition.id, name: '', state: 'unfinished' }])
  await assert.rejects(host.driver.start(definition.id), /never completely defined/)
  await host.driver.define(definition)
  assert.equal(await host.driver.state(definition.id), 'off')
})

test('plain QEMU: says so when QEMU is not installed, or the path is too long', async (t) => {
  const directory = temporaryDirectory(t)
  const absent = new QemuHost({ machinesPath: directory, program: '/nowhere/qemu' })
  assert.deepEqual(
    (await absent.unsupportedReasons()).map(({ code }) => code),
    ['hypervisor-missing'],
  )
  const far = new QemuHost({ machinesPath: join(directory, 'x'.repeat(100)), program: '/nowhere/qemu' })
  assert.ok((await far.unsupportedReasons()).some(({ code }) => code === 'path-unusable'))
})

test('plain QEMU: finds out within seconds whether KVM runs machines', { timeout: 30_000 }, async (t) => {
  if (!hasTools(t, 'qemu-system-x86_64')) return
  assert.match(await chooseAccelerator('qemu-system-x86_64'), /^(kvm|tcg)$/)
})
