import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { TestAgent } from '../testing/agent/test-agent.ts'
import { hasTools, run, runForBytes } from '../testing/tool.ts'

const mebibyte = 1024 * 1024
const sizeBytes = 48 * mebibyte
const fileSizeBytes = 5 * mebibyte + 77

/** The volume inside a restored disk, as qemu-img reads it. */
function volumeIn(disk: string, directory: string): string {
  const [flat, volume] = [join(directory, 'flat.raw'), join(directory, 'volume.raw')]
  run('qemu-img', 'convert', '-f', 'vhdx', '-O', 'raw', disk, flat)
  run('dd', `if=${flat}`, `of=${volume}`, 'bs=1M', 'skip=1', `count=${sizeBytes / mebibyte}`, 'status=none')
  return volume
}

/** Backs an image up and restores it. */
async function thereAndBack(agent: TestAgent, path: string, partition?: number): Promise<string> {
  const revision = await agent.server.backUp('b1', partition === undefined ? { path } : { path, partition })
  const outcome = await agent.server.restore('r1', agent.target, 'Vhdx', [revision])
  const [disk = ''] =
    outcome.state === 'SUCCESS' ? (outcome.files ?? []) : assert.fail(JSON.stringify(outcome))
  return volumeIn(disk, agent.directory)
}

/** How many bytes of chunks the server got: those in use, and what shares a chunk with them. */
function sentBytes(agent: TestAgent): number {
  return agent.server.chunks.size * agent.server.chunkSizeBytes
}

function prepare(agent: TestAgent): { image: string; content: Buffer; file: string } {
  const image = join(agent.directory, 'image.raw')
  const folder = join(agent.directory, 'content')
  mkdirSync(folder)
  const file = join(folder, 'file')
  const content = randomBytes(fileSizeBytes)
  writeFileSync(file, content)
  // Different everywhere, so that no two chunks of it are stored once.
  writeFileSync(image, randomBytes(sizeBytes))
  return { image, content, file }
}

const unusedLeftOut = (agent: TestAgent) =>
  [...agent.server.revisions.values()].map(({ metadata }) => metadata.volume.unusedLeftOut)

function hasAll(t: TestContext): boolean {
  return hasTools(t, 'qemu-img', 'mke2fs', 'e2fsck', 'debugfs', 'mkntfs', 'ntfscp', 'ntfscat', 'ntfsfix')
}

test('of an ext4 full of leftovers only what is in use is stored, and it comes back sound', async (t) => {
  if (!hasAll(t)) return
  const agent = await TestAgent.start(t)
  const { image, content, file } = prepare(agent)
  run('mke2fs', '-q', '-F', '-t', 'ext4', '-E', 'nodiscard', '-d', join(file, '..'), image)
  const volume = await thereAndBack(agent, image)
  assert.deepEqual(unusedLeftOut(agent), [true])
  assert.ok(sentBytes(agent) < 20 * mebibyte, `${sentBytes(agent)} bytes`)
  run('e2fsck', '-fn', volume)
  assert.ok(runForBytes('debugfs', '-R', 'cat file', volume).equals(content))
  assert.ok(!readFileSync(volume).equals(readFileSync(image)), 'leftovers are gone')
})

test('of an NTFS full of leftovers only what is in use is stored, and it comes back sound', async (t) => {
  if (!hasAll(t)) return
  const agent = await TestAgent.start(t)
  const { image, content, file } = prepare(agent)
  run('mkntfs', '-q', '-F', '-Q', '-L', 'Archive', image)
  run('ntfscp', image, file, 'file')
  const volume = await thereAndBack(agent, image)
  assert.deepEqual(unusedLeftOut(agent), [true])
  assert.ok(sentBytes(agent) < 20 * mebibyte, `${sentBytes(agent)} bytes`)
  run('ntfsfix', '-n', volume)
  assert.equal(run('ntfsinfo', '-m', volume), run('ntfsinfo', '-m', image).replaceAll(image, volume))
  assert.ok(runForBytes('ntfscat', volume, 'file').equals(content))
})

test('a volume comes back byte for byte where the operator wants it whole', async (t) => {
  if (!hasAll(t)) return
  const agent = await TestAgent.start(t, { backup: { wholeVolumes: true } })
  const { image } = prepare(agent)
  run('mke2fs', '-q', '-F', '-t', 'ext4', '-E', 'nodiscard', image)
  const volume = await thereAndBack(agent, image)
  assert.deepEqual(unusedLeftOut(agent), [false])
  assert.ok(readFileSync(volume).equals(readFileSync(image)))
})

test('a file system that was not closed is read whole, and the log says why', async (t) => {
  if (!hasAll(t)) return
  const agent = await TestAgent.start(t)
  const { image } = prepare(agent)
  run('mke2fs', '-q', '-F', '-t', 'ext4', '-E', 'nodiscard', image)
  run('debugfs', '-w', '-R', 'feature needs_recovery', image)
  const volume = await thereAndBack(agent, image)
  assert.deepEqual(unusedLeftOut(agent), [false])
  assert.ok(readFileSync(volume).equals(readFileSync(image)))
  assert.ok(agent.log.some((line) => /whole volume: the journal/.test(line)))
})

/** Divides an image that holds a file system: nothing but its first sector is changed. */
function divide(image: string): void {
  run(
    'sh',
    '-c',
    `printf 'label: dos\nstart=2048,size=32768\nstart=40960,size=32768\n' | sfdisk -q '${image}'`,
  )
}

/** Where the second of four partitions begins, in sectors. */
const secondStartAt = 446 + 16 + 8

test('a disk whose partition table is damaged is read whole, whatever file system it was before it was divided', async (t) => {
  if (!hasAll(t) || !hasTools(t, 'sfdisk')) return
  const agent = await TestAgent.start(t)
  const { image } = prepare(agent)
  run('mke2fs', '-q', '-F', '-t', 'ext4', '-E', 'nodiscard', image)
  divide(image)
  const file = openSync(image, 'r+')
  // Within the first partition.
  writeSync(file, Buffer.of(0x00, 0x10, 0, 0), 0, 4, secondStartAt)
  closeSync(file)
  const volume = await thereAndBack(agent, image)
  assert.deepEqual(unusedLeftOut(agent), [false])
  assert.ok(readFileSync(volume).equals(readFileSync(image)))
  assert.ok(agent.log.some((line) => /whole volume: .* partition 1 overlaps partition 2/.test(line)))
})

test('a partition that is the disk of a virtual machine is read whole, whatever file system it was before', async (t) => {
  if (!hasAll(t) || !hasTools(t, 'sfdisk')) return
  const agent = await TestAgent.start(t)
  const { image } = prepare(agent)
  run('mke2fs', '-q', '-F', '-t', 'ext4', '-E', 'nodiscard', image)
  divide(image)
  const disk = join(agent.directory, 'disk.raw')
  run('truncate', '-s', `${sizeBytes + 2 * mebibyte}`, disk)
  run('sh', '-c', `printf 'label: dos\nstart=2048,size=${sizeBytes / 512}\n' | sfdisk -q '${disk}'`)
  run('dd', `if=${image}`, `of=${disk}`, 'bs=1M', 'seek=1', 'conv=notrunc', 'status=none')
  const volume = await thereAndBack(agent, disk, 1)
  assert.deepEqual(unusedLeftOut(agent), [false])
  assert.ok(readFileSync(volume).equals(readFileSync(image)))
})
