import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { copyFileSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { DiskFormat } from '@palisade/agent-protocol'
import { Hosts } from '../hosts/hosts.ts'
import type { Firmware } from '../hosts/machine.ts'
import { QemuHost } from '../hosts/qemu/qemu-host.ts'
import { bootImages, separatePartitions } from '../hosts/testing/boot-images.ts'
import { hears } from '../hosts/testing/guest-words.ts'
import { directoryWithMachines } from '../hosts/testing/host-under-test.ts'
import { TestAgent } from '../testing/agent/test-agent.ts'
import { run } from '../testing/tool.ts'

const timeout = 600_000

for (const [firmware, formats] of [
  ['bios', ['Vhd', 'Vhdx']],
  ['uefi', ['Vhdx', 'Vhd']],
] as const) {
  test(`a machine with ${firmware} whose volumes were backed up one by one comes back and starts`, {
    timeout,
  }, async (t) => {
    const images = bootImages(t)
    if (images === undefined) return
    const { directory, driver } = directoryWithMachines(
      t,
      (folder) => new QemuHost({ machinesPath: folder, accelerator: 'tcg' }),
    )
    const agent = await TestAgent.start(t, { hosts: new Hosts([{ name: 'here', driver }]) })
    const original = join(directory, 'original.raw')
    copyFileSync(images.separate[firmware], original)
    const revisions: number[] = []
    for (const partition of separatePartitions[firmware].toReversed()) {
      revisions.push(await agent.server.backUp(`b${partition}`, { path: original, partition }))
    }
    let ran = 0
    for (const format of formats) {
      const disk = await restoreDisk(agent, revisions, firmware, format)
      judge(t, original, disk, firmware)
      await startFrom(driver, disk, firmware, format)
      ran++
    }
    assert.equal(ran, 2)
  })
}

async function restoreDisk(
  agent: TestAgent,
  revisions: readonly number[],
  firmware: Firmware,
  diskFormat: DiskFormat,
): Promise<string> {
  const id = randomUUID()
  const outcome = agent.server.outcomeOf(id)
  const message = agent.server.machineMessage(id, agent.target, revisions, { firmware, start: false })
  agent.server.start({ ...message, diskFormat })
  const ended = await outcome
  const files = ended.state === 'SUCCESS' ? (ended.files ?? []) : assert.fail(JSON.stringify(ended))
  assert.equal(files.length, 1)
  return files[0] ?? assert.fail()
}

/** The same table, ids and bytes as those of the disk that was backed up. */
function judge(t: TestContext, original: string, disk: string, firmware: Firmware): void {
  const driver = disk.endsWith('.vhdx') ? 'vhdx' : 'vpc'
  const flat = join(disk, '..', `flat-${driver}.raw`)
  t.after(() => rmSync(flat, { force: true }))
  run('qemu-img', 'convert', '-f', driver, '-O', 'raw', disk, flat)
  const dump = (path: string) => run('sfdisk', '-d', path).replaceAll(path, 'disk')
  assert.equal(dump(flat), dump(original))
  if (firmware === 'uefi') assert.match(run('sgdisk', '-v', flat), /No problems found/)
  assert.match(run('parted', '-s', flat, 'print'), firmware === 'uefi' ? /gpt/ : /logical +ext4/)
  assert.match(run('qemu-img', 'compare', '-f', 'raw', '-F', driver, original, disk), /Images are identical/)
}

async function startFrom(
  driver: QemuHost,
  disk: string,
  firmware: Firmware,
  format: DiskFormat,
): Promise<void> {
  const id = randomUUID()
  await driver.define({
    id,
    name: `proof ${id}`,
    firmware,
    cores: 1,
    memoryMebibytes: 640,
    disks: [{ path: disk, format: format === 'Vhd' ? 'vhd' : 'vhdx' }],
    recordSerial: true,
  })
  await driver.start(id)
  const { memory, ...words } = await hears(driver, id, 'up')
  assert.ok(Number(memory?.[0]) > 500 && Number(memory?.[0]) <= 640, String(memory))
  assert.deepEqual(
    { id: words.id, cores: words.cores, firmware: words.firmware, root: words.root, initial: words.initial },
    {
      id: [id],
      cores: ['1'],
      firmware: [firmware],
      root: ['9a15ade0-0000-4000-8000-00000000ef53'],
      initial: ['yes'],
    },
  )
  await driver.remove(id, { disks: false })
  assert.ok(readdirSync(join(disk, '..')).length > 0)
}
