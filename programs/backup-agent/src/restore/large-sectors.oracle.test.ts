/** Disks of 4096-byte sectors, whose tables nobody finds on a disk of others. Judged by libvhdi, since QEMU opens none. */
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Outcome } from '@palisade/agent-protocol'
import { partitionTypes } from '@palisade/virtual-disk'
import { Hosts } from '../hosts/hosts.ts'
import { SimulatedHost } from '../hosts/simulated/simulated-host.ts'
import { TestAgent } from '../testing/agent/test-agent.ts'
import { hasTools, run } from '../testing/tool.ts'
import { attachLoop } from '../testing/volumes/mount.ts'
import { writePartitionedDisk } from '../testing/volumes/partitioned-disk.ts'

const mebibyte = 1024 * 1024
const { efiSystem, linux } = partitionTypes.gpt

test('a machine comes back on a disk of such sectors, byte for byte the one that was backed up', async (t) => {
  if (!hasTools(t, 'vhdimount', 'fusermount', 'sgdisk')) return
  const { agent, disk, revisions } = await backedUp(t)
  const flat = flattened(fileOf(await restoreMachine(agent, revisions, 'Vhdx')))
  assert.ok(readFileSync(flat).equals(readFileSync(disk)))
  judgeTable(t, flat, 2)
})

test('a machine whose boot code was not kept gets a new table that counts in such sectors', async (t) => {
  if (!hasTools(t, 'vhdimount', 'fusermount', 'sgdisk')) return
  const { agent, disk, revisions } = await backedUp(t)
  const [, second = assert.fail()] = revisions
  const { metadata, ids } = agent.server.revisions.get(second) ?? assert.fail()
  const { frame, ...volume } = metadata.volume
  const chunkCount = metadata.chunkCount - (frame?.chunkCount ?? assert.fail())
  agent.server.revisions.set(second, {
    metadata: { ...metadata, volume, chunkCount },
    ids: ids.subarray(-chunkCount * 32),
  })
  const flat = flattened(fileOf(await restoreMachine(agent, [second], 'Vhdx')))
  const place = [9 * mebibyte, 17 * mebibyte] as const
  assert.ok(
    readFileSync(flat)
      .subarray(...place)
      .equals(readFileSync(disk).subarray(...place)),
  )
  judgeTable(t, flat, 1)
})

test('a volume of such a disk comes back on a disk of such sectors', async (t) => {
  if (!hasTools(t, 'vhdimount', 'fusermount', 'sgdisk')) return
  const { agent, disk, revisions } = await backedUp(t)
  const outcome = await agent.server.restore('r1', agent.target, 'Vhdx', revisions.slice(1))
  const flat = flattened(fileOf(outcome))
  const original = readFileSync(disk).subarray(9 * mebibyte, 17 * mebibyte)
  assert.ok(
    readFileSync(flat)
      .subarray(mebibyte, 9 * mebibyte)
      .equals(original),
  )
  judgeTable(t, flat, 1)
})

test('a VHD, which cannot have such sectors, is refused with the reason', async (t) => {
  const { agent, revisions } = await backedUp(t)
  const refused = [
    await agent.server.restore('r1', agent.target, 'Vhd', revisions.slice(1)),
    await restoreMachine(agent, revisions, 'Vhd'),
  ]
  for (const outcome of refused) {
    assert.ok(outcome.state === 'ERROR')
    assert.match(outcome.message, /a VHD has 512-byte sectors; use a VHDX/)
  }
})

/** An agent that has backed up both partitions of a disk of 4096-byte sectors. */
async function backedUp(t: TestContext) {
  const agent = await TestAgent.start(t, {
    hosts: new Hosts([{ name: 'here', driver: new SimulatedHost().driver() }]),
    backup: { wholeVolumes: true },
  })
  const disk = join(agent.directory, 'disk.raw')
  writePartitionedDisk(disk, 'gpt', [{ type: efiSystem }, { type: linux }], 4096)
  const file = await open(disk, 'r+')
  await file.write(randomBytes(16 * mebibyte), 0, 16 * mebibyte, mebibyte)
  await file.close()
  const revisions: number[] = []
  for (const partition of [1, 2])
    revisions.push(await agent.server.backUp(`b${partition}`, { path: disk, partition }))
  return { agent, disk, revisions }
}

async function restoreMachine(
  agent: TestAgent,
  revisions: readonly number[],
  diskFormat: 'Vhd' | 'Vhdx',
): Promise<Outcome> {
  const id = randomUUID()
  const outcome = agent.server.outcomeOf(id)
  const message = agent.server.machineMessage(id, agent.target, revisions, { start: false })
  agent.server.start({ ...message, diskFormat })
  return outcome
}

function fileOf(outcome: Outcome): string {
  assert.ok(outcome.state === 'SUCCESS', JSON.stringify(outcome))
  return outcome.files?.[0] ?? assert.fail()
}

/** The disk in a file as libvhdi sees it. */
function flattened(path: string): string {
  const folder = `${path}.mounted`
  const flat = `${path}.flat`
  mkdirSync(folder)
  run('vhdimount', path, folder)
  try {
    copyFileSync(join(folder, 'vhdi1'), flat)
  } finally {
    run('fusermount', '-u', folder)
  }
  return flat
}

/** Has sgdisk judge the table, on a device of such sectors. */
function judgeTable(t: TestContext, flat: string, partitionCount: number): void {
  const device = attachLoop(t, flat, '--sector-size', '4096')
  if (device === undefined) return
  assert.match(run('sgdisk', '--verify', device), /No problems found/)
  const table = run('sgdisk', '--print', device)
  assert.match(table, /logical\/physical\): 4096\//)
  assert.equal(table.split('\n').filter((line) => /^ +\d+ +\d+/.test(line)).length, partitionCount)
}
