import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { TestAgent } from './testing/agent/test-agent.ts'
import { hasTools, run } from './testing/tool.ts'
import { writePartitionedDisk } from './testing/volumes/partitioned-disk.ts'
import { writeVolumeImage } from './testing/volumes/volume-image.ts'

const mebibyte = 1024 * 1024

/** A part of a disk as qemu-img can compare it with another one. */
function window(driver: 'raw' | 'vhdx' | 'vpc', path: string, offset: number, size: number): string {
  const file = { driver, file: { driver: 'file', filename: path } }
  return `json:${JSON.stringify({ driver: 'raw', offset, size, file })}`
}

interface Original {
  readonly path: string
  readonly offsetBytes: number
  readonly sizeBytes: number
}

/** Has qemu-img and sgdisk judge a restored disk. */
function judge(t: TestContext, agent: TestAgent, file: string, original: Original): string {
  const driver = file.endsWith('.vhdx') ? 'vhdx' : 'vpc'
  if (driver === 'vhdx') assert.match(run('qemu-img', 'check', '-f', 'vhdx', file), /No errors were found/)
  const { path, offsetBytes, sizeBytes } = original
  const compared = run(
    'qemu-img',
    'compare',
    window('raw', path, offsetBytes, sizeBytes),
    window(driver, file, mebibyte, sizeBytes),
  )
  assert.match(compared, /Images are identical/)
  const flat = join(agent.directory, 'flat.raw')
  t.after(() => rmSync(flat, { force: true }))
  run('qemu-img', 'convert', '-f', driver, '-O', 'raw', file, flat)
  return flat
}

function restored(outcome: Awaited<ReturnType<TestAgent['server']['restore']>>): string {
  const [file] = outcome.state === 'SUCCESS' ? (outcome.files ?? []) : []
  return file ?? assert.fail(JSON.stringify(outcome))
}

for (const format of ['Vhdx', 'Vhd'] as const) {
  test(`a bare ext4 volume becomes a GPT disk in a ${format} that others read`, async (t) => {
    if (!hasTools(t, 'qemu-img', 'sgdisk', 'mke2fs', 'e2fsck')) return
    const agent = await TestAgent.start(t)
    const path = join(agent.directory, 'image.raw')
    const content = join(agent.directory, 'content')
    mkdirSync(content)
    writeFileSync(join(content, 'file'), randomBytes(20 * mebibyte))
    writeFileSync(path, '')
    truncateSync(path, 64 * mebibyte)
    run('mke2fs', '-q', '-F', '-t', 'ext4', '-L', 'data', '-d', content, path)
    const revision = await agent.server.backUp('b1', { path })
    const { label, fileSystem, usedBytes } =
      agent.server.revisions.get(revision)?.metadata.volume ?? assert.fail()
    assert.deepEqual([label, fileSystem, usedBytes > 20 * mebibyte], ['data', 'ext4', true])
    const file = restored(await agent.server.restore('r1', agent.target, format, [revision]))
    const flat = judge(t, agent, file, { path, offsetBytes: 0, sizeBytes: 64 * mebibyte })
    assert.match(run('sgdisk', '-v', flat), /No problems found/)
    assert.match(run('sgdisk', '-i', '1', flat), /Linux filesystem/)
    run('e2fsck', '-fn', `${flat}?offset=${mebibyte}`)
  })
}

test('the NTFS partition of an MBR disk comes back on an MBR disk of its own', async (t) => {
  if (!hasTools(t, 'qemu-img', 'sgdisk', 'mkntfs', 'ntfsinfo')) return
  const agent = await TestAgent.start(t)
  const path = join(agent.directory, 'disk.raw')
  const volume = join(agent.directory, 'volume.raw')
  const sizeBytes = 8 * mebibyte
  writeFileSync(volume, '')
  truncateSync(volume, sizeBytes)
  run('mkntfs', '-q', '-F', '-Q', '-L', 'Archive', volume)
  writePartitionedDisk(path, 'mbr', [{ type: '83' }, { type: '07', active: true }])
  run('dd', `if=${volume}`, `of=${path}`, 'bs=1M', 'seek=9', 'conv=notrunc', 'status=none')
  const revision = await agent.server.backUp('b1', { path, partition: 2 })
  const { label, fileSystem, isBoot } = agent.server.revisions.get(revision)?.metadata.volume ?? assert.fail()
  assert.deepEqual([label, fileSystem, isBoot], ['Archive', 'ntfs', true])
  for (const format of ['Vhdx', 'Vhd'] as const) {
    const file = restored(await agent.server.restore(`r${format}`, agent.target, format, [revision]))
    const flat = judge(t, agent, file, { path, offsetBytes: 9 * mebibyte, sizeBytes })
    const listed = run('sgdisk', '-p', flat)
    assert.match(listed, /Found invalid GPT and valid MBR/)
    assert.match(listed, /^ +1 +2048 +18431 +8.0 MiB +0700/m)
    run('dd', `if=${flat}`, `of=${volume}`, 'bs=1M', 'skip=1', 'count=8', 'status=none')
    run('ntfsinfo', '-m', volume)
  }
})

test('disks of the same volume have ids of their own', async (t) => {
  if (!hasTools(t, 'qemu-img', 'sgdisk')) return
  const agent = await TestAgent.start(t)
  const path = join(agent.directory, 'image.raw')
  writeVolumeImage(path, 6 * mebibyte)
  const revision = await agent.server.backUp('b1', { path })
  const ids = new Set<string>()
  for (const id of ['r1', 'r2']) {
    const file = restored(await agent.server.restore(id, agent.target, 'Vhdx', [revision]))
    const flat = judge(t, agent, file, { path, offsetBytes: 0, sizeBytes: 6 * mebibyte })
    for (const [, guid] of run('sgdisk', '-p', '-i', '1', flat).matchAll(/GUID\)?: ([0-9A-F-]{36})/g)) {
      ids.add(guid ?? '')
    }
  }
  assert.equal(ids.size, 4)
})

test('a sparse volume of 4 GiB is read and restored without its holes', async (t) => {
  if (!hasTools(t, 'qemu-img')) return
  const agent = await TestAgent.start(t)
  const path = join(agent.directory, 'image.raw')
  const sizeBytes = 4096 * mebibyte
  writeVolumeImage(path, 4 * mebibyte)
  truncateSync(path, sizeBytes)
  const revision = await agent.server.backUp('b1', { path })
  const file = restored(await agent.server.restore('r1', agent.target, 'Vhdx', [revision]))
  assert.ok(statSync(file).size < 32 * mebibyte)
  assert.deepEqual(readdirSync(agent.target), ['disk.vhdx'])
  assert.match(run('qemu-img', 'check', '-f', 'vhdx', file), /No errors/)
  assert.match(
    run('qemu-img', 'compare', window('raw', path, 0, sizeBytes), window('vhdx', file, mebibyte, sizeBytes)),
    /Images are identical/,
  )
})
