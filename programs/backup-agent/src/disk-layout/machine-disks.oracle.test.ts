import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { closeSync, ftruncateSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { VolumeDescription } from '@palisade/agent-protocol'
import { Hosts } from '../hosts/hosts.ts'
import { SimulatedHost } from '../hosts/simulated/simulated-host.ts'
import { TestAgent } from '../testing/agent/test-agent.ts'
import { hasTools, run } from '../testing/tool.ts'

const mebibyte = 1024 * 1024
const idSizeBytes = 32
const bios = `label: dos
label-id: 0xcafe1234
start=63, size=8001, type=83
start=8064, size=16391, type=7, bootable
start=24455, size=40000, type=f
start=24457, size=20001, type=83
`
const uefi = `label: gpt
label-id: 9BD72A1C-4B5B-4E2C-9F33-0D6A1F0E77AA
start=2049, size=8191, type=U, name="EFI system", uuid=11111111-2222-4333-8444-555555555551
start=10240, size=30001, type=L, name="root", uuid=11111111-2222-4333-8444-555555555552, attrs="GUID:59"
`

test('partitions at odd places that touch each other come back byte for byte, on an MBR with a logical drive', async (t) => {
  if (!hasTools(t, 'sfdisk', 'qemu-img')) return
  const agent = await agentWithHost(t)
  const disk = diskOf(agent, 'odd.raw', bios, [1, 2, 5])
  const revisions = await backUp(agent, disk, [5, 1, 2])
  for (const format of ['Vhd', 'Vhdx'] as const) {
    const [file, ...others] = await restore(agent, revisions, format)
    assert.equal(others.length, 0)
    same(disk, file)
  }
})

test('partitions that are not restored are there and empty', async (t) => {
  if (!hasTools(t, 'sfdisk', 'qemu-img')) return
  const agent = await agentWithHost(t)
  const disk = diskOf(agent, 'some.raw', uefi, [1, 2])
  const [revision = assert.fail()] = await backUp(agent, disk, [2])
  const [file] = await restore(agent, [revision], 'Vhdx')
  const flat = flattened(t, file)
  assert.equal(dumpOf(flat), dumpOf(disk))
  assert.ok(
    readFileSync(flat)
      .subarray(2049 * 512, 10240 * 512)
      .every((byte) => byte === 0),
  )
  const root = (path: string) => readFileSync(path).subarray(10240 * 512, 40241 * 512)
  assert.ok(root(flat).equals(root(disk)))
})

test('a disk that ends within a sector comes back with its whole sectors', async (t) => {
  if (!hasTools(t, 'sfdisk', 'sgdisk', 'qemu-img')) return
  const agent = await agentWithHost(t)
  for (const [name, script] of [
    ['cut-bios.raw', bios],
    ['cut-uefi.raw', uefi],
  ] as const) {
    const disk = diskOf(agent, name, script, [1, 2])
    const [file] = await restore(agent, await backUp(agent, withRest(disk), [1, 2]), 'Vhdx')
    const flat = flattened(t, file)
    assert.equal(dumpOf(flat), dumpOf(disk))
    if (script === uefi) assert.match(run('sgdisk', '-v', flat), /No problems found/)
  }
})

test('volumes of two disks come back on two disks, the one that starts first', async (t) => {
  if (!hasTools(t, 'sfdisk', 'qemu-img')) return
  const agent = await agentWithHost(t)
  const data = diskOf(
    agent,
    'data.raw',
    bios.replace('cafe1234', 'beef5678').replace(', bootable', ''),
    [1, 2],
  )
  const system = diskOf(agent, 'system.raw', uefi, [1, 2])
  const revisions = [...(await backUp(agent, data, [2, 1])), ...(await backUp(agent, system, [2, 1]))]
  const [first, second, ...others] = await restore(agent, revisions, 'Vhdx')
  assert.equal(others.length, 0)
  same(system, first)
  assert.equal(dumpOf(flattened(t, second)), dumpOf(data))
})

test('revisions from before frames were kept come back on a disk of the usual layout', async (t) => {
  if (!hasTools(t, 'sfdisk', 'sgdisk', 'qemu-img')) return
  const agent = await agentWithHost(t)
  let ran = 0
  for (const [name, script, numbers] of [
    ['old-bios', bios, [1, 2, 5]],
    ['old-uefi', uefi, [1, 2]],
  ] as const) {
    const disk = diskOf(agent, `${name}.raw`, script, numbers)
    const revisions = await backUp(agent, disk, numbers)
    for (const revision of revisions) asOlder(agent, revision)
    const flat = flattened(t, (await restore(agent, revisions, 'Vhdx'))[0])
    const table = dumpOf(flat)
    if (name === 'old-uefi') {
      assert.match(run('sgdisk', '-v', flat), /No problems found/)
      assert.match(table, /start= +2048, .*type=C12A7328-F81F-11D2-BA4B-00A0C93EC93B/)
    } else {
      assert.match(table, /label: dos/)
      assert.match(table, /start= +\d+, size= +16391, type=7, bootable/)
    }
    const original = readFileSync(disk)
    const restored = readFileSync(flat)
    for (const [start, size] of placesOf(disk, numbers)) {
      const volume = original.subarray(start * 512, (start + size) * 512)
      assert.ok(restored.includes(volume.subarray(0, 4096)), `a volume of ${name} is not there`)
    }
    ran++
  }
  assert.equal(ran, 2)
})

test('NTFS that moves gets the sectors in front of it into its boot sector and the copy', async (t) => {
  if (!hasTools(t, 'sfdisk', 'mkntfs', 'qemu-img', 'ntfsresize')) return
  const agent = await agentWithHost(t)
  const disk = diskOf(
    agent,
    'windows.raw',
    'label: dos\nlabel-id: 0xcafe0007\nstart=63, size=32769, type=7, bootable\n',
    [],
  )
  const volume = join(agent.directory, 'volume.raw')
  writeFileSync(volume, Buffer.alloc(32769 * 512))
  run('mkntfs', '-q', '-F', '-Q', '-p', '63', '-H', '255', '-S', '63', '-L', 'Windows', volume)
  put(disk, 63 * 512, readFileSync(volume))
  const [revision = assert.fail()] = await backUp(agent, disk, [1])
  const [unmoved] = await restore(agent, [revision], 'Vhd')
  same(disk, unmoved)
  asOlder(agent, revision)
  for (const format of ['Vhd', 'Vhdx'] as const) {
    const flat = flattened(t, (await restore(agent, [revision], format))[0])
    const restored = readFileSync(flat).subarray(mebibyte, mebibyte + 32769 * 512)
    for (const at of [0, 32768 * 512]) assert.equal(restored.readUInt32LE(at + 28), 2048, `at ${at}`)
    const expected = readFileSync(volume)
    for (const at of [0, 32768 * 512]) expected.writeUInt32LE(2048, at + 28)
    assert.ok(restored.equals(expected))
    writeFileSync(volume, restored)
    run('ntfsresize', '-i', '-f', volume)
    writeFileSync(volume, readFileSync(disk).subarray(63 * 512, (63 + 32769) * 512))
  }
})

async function agentWithHost(t: TestContext): Promise<TestAgent> {
  const driver = new SimulatedHost().driver()
  return TestAgent.start(t, {
    hosts: new Hosts([{ name: 'here', driver }]),
    backup: { wholeVolumes: true },
  })
}

/** A disk with a partition table of sfdisk, boot code, a gap in use, and partitions full of noise. */
function diskOf(agent: TestAgent, name: string, script: string, numbers: readonly number[]): string {
  const path = join(agent.directory, name)
  const file = openSync(path, 'w')
  ftruncateSync(file, 40 * mebibyte + 1536)
  closeSync(file)
  execFileSync('sfdisk', ['-q', path], { input: script, stdio: 'pipe' })
  put(path, 0, randomBytes(440))
  put(path, script.startsWith('label: gpt') ? 34 * 512 : 512, randomBytes(20_000))
  for (const [start, size] of placesOf(path, numbers)) put(path, start * 512, randomBytes(size * 512))
  return path
}

/** Puts less than a sector behind a disk. */
function withRest(path: string): string {
  writeFileSync(path, Buffer.alloc(100, 1), { flag: 'a' })
  return path
}

/** First sector and number of sectors of partitions. */
function placesOf(path: string, numbers: readonly number[]): readonly (readonly [number, number])[] {
  const { partitiontable } = JSON.parse(run('sfdisk', '-J', path))
  return numbers.map((number) => {
    const partition = partitiontable.partitions.find(
      ({ node }: { node: string }) => node === `${path}${number}`,
    )
    return [partition.start, partition.size] as const
  })
}

function put(path: string, offset: number, bytes: Buffer): void {
  const file = openSync(path, 'r+')
  writeSync(file, bytes, 0, bytes.length, offset)
  closeSync(file)
}

async function backUp(agent: TestAgent, path: string, numbers: readonly number[]): Promise<number[]> {
  const revisions: number[] = []
  for (const partition of numbers)
    revisions.push(await agent.server.backUp(randomUUID(), { path, partition }))
  return revisions
}

async function restore(
  agent: TestAgent,
  revisions: readonly number[],
  diskFormat: 'Vhd' | 'Vhdx',
): Promise<readonly string[]> {
  const id = randomUUID()
  const outcome = agent.server.outcomeOf(id)
  const message = agent.server.machineMessage(id, agent.target, revisions, { start: false })
  agent.server.start({ ...message, diskFormat })
  const ended = await outcome
  return ended.state === 'SUCCESS' ? (ended.files ?? []) : assert.fail(JSON.stringify(ended))
}

/** Makes of a revision one as agents wrote them that knew neither places nor frames. */
function asOlder(agent: TestAgent, revisionId: number): void {
  const { metadata, ids } = agent.server.revisions.get(revisionId) ?? assert.fail()
  const { frame, placement, ...volume }: VolumeDescription = metadata.volume
  assert.ok(frame !== undefined && placement !== undefined)
  agent.server.revisions.set(revisionId, {
    metadata: { ...metadata, volume, chunkCount: metadata.chunkCount - frame.chunkCount },
    ids: ids.subarray(frame.chunkCount * idSizeBytes),
  })
}

function same(disk: string, restored: string | undefined): void {
  const driver = driverOf(restored)
  const compared = run('qemu-img', 'compare', '-f', 'raw', '-F', driver, disk, restored ?? '')
  assert.match(compared, /Images are identical/)
}

function flattened(t: TestContext, path: string | undefined): string {
  const flat = `${path}.flat`
  t.after(() => rmSync(flat, { force: true }))
  run('qemu-img', 'convert', '-f', driverOf(path), '-O', 'raw', path ?? '', flat)
  return flat
}

function driverOf(path: string | undefined): string {
  return path?.endsWith('.vhdx') ? 'vhdx' : 'vpc'
}

function dumpOf(path: string): string {
  return run('sfdisk', '-d', path).replaceAll(path, 'disk')
}
