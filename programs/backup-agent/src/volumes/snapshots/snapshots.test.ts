import assert from 'node:assert/strict'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createLog } from '@palisade/log'
import { temporaryDirectory } from '../../testing/temporary-directory.ts'
import { hasTools, run } from '../../testing/tool.ts'
import { attachLoop, unmount } from '../../testing/volumes/mount.ts'
import { openVolume, type Volume } from '../open-volume.ts'
import type { Shell } from './shell.ts'
import { Snapshots } from './snapshots.ts'

const mebibyte = 1024 * 1024

/** Plays the part of LVM: remembers what it was told, and answers for one group with one volume. */
class RecordedLvm {
  readonly commands: string[] = []
  readonly volumes = new Set(['root'])
  pool = ''
  freeBytes = 4096 * mebibyte
  fails: RegExp | undefined

  readonly shell: Shell = async (program, ...parameters) => {
    const command = [program, ...parameters].join(' ')
    this.commands.push(command)
    if (this.fails?.test(command)) throw new Error(`${program} failed`)
    if (program === 'lvcreate') this.volumes.add(parameters[parameters.indexOf('--name') + 1] ?? '')
    if (program === 'lvremove') this.volumes.delete(parameters.at(-1)?.split('/')[1] ?? '')
    if (program !== 'lvs') return ''
    const row = {
      vg_name: 'vg',
      pool_lv: this.pool,
      lv_size: String(10_240 * mebibyte),
      vg_free: String(this.freeBytes),
    }
    const lv =
      parameters.at(-1) === 'vg'
        ? [...this.volumes].map((lv_name) => ({ lv_name }))
        : [{ ...row, lv_name: 'root' }]
    return JSON.stringify({ report: [{ lv }] })
  }
}

async function setUp(t: TestContext) {
  const directory = temporaryDirectory(t)
  const records = join(directory, 'records')
  mkdirSync(records)
  const image = join(directory, 'image.raw')
  writeFileSync(image, Buffer.alloc(mebibyte, 1))
  const lines: string[] = []
  const log = createLog('debug', { write: (line) => lines.push(line) })
  const lvm = new RecordedLvm()
  return { records, image, lines, lvm, snapshots: new Snapshots(records, log, lvm.shell) }
}

/** A logical volume, as the kernel would tell of it. */
async function logicalVolume(image: string): Promise<Volume> {
  const volume = await openVolume({ path: image })
  const mapping = { name: 'vg-root', uuid: `LVM-${'x'.repeat(64)}` }
  const device = {
    name: 'dm-0',
    number: '253:0',
    sizeBytes: mebibyte,
    isRemovable: false,
    partition: undefined,
    mapping,
    raidLevel: undefined,
    slaves: [],
  }
  return {
    ...volume,
    sourcePath: '/dev/mapper/vg-root',
    place: { ...volume.place, device, mountPoints: ['/'] },
  }
}

test('a logical volume is read from a snapshot with a tenth of its size, which is removed afterwards', async (t) => {
  const { image, lvm, snapshots, records } = await setUp(t)
  const frozen = await snapshots.freeze(await logicalVolume(image), 'b1')
  const snapshotCommand = lvm.commands.find((command) => command.startsWith('lvcreate')) ?? ''
  assert.match(
    snapshotCommand,
    /^lvcreate --yes --snapshot --size 1073741824b --name palisade-[0-9a-f]{12} vg\/root$/,
  )
  assert.match(frozen.path, /^\/dev\/vg\/palisade-[0-9a-f]{12}$/)
  assert.equal(frozen.kind, 'lvm')
  assert.equal(readdirSync(records).length, 1)
  await frozen.release()
  assert.deepEqual([...lvm.volumes], ['root'])
  assert.deepEqual(readdirSync(records), [])
})

test('a snapshot takes what room the group has, none of its own in a pool, and is not taken without room', async (t) => {
  const { image, lvm, snapshots, lines } = await setUp(t)
  const volume = await logicalVolume(image)
  lvm.freeBytes = 100 * mebibyte
  await (await snapshots.freeze(volume, 'b1')).release()
  assert.match(lvm.commands.join('\n'), /--size 104857600b/)
  lvm.freeBytes = 0
  const without = await snapshots.freeze(volume, 'b2')
  assert.deepEqual([without.kind, without.path], ['none', '/dev/mapper/vg-root'])
  assert.match(lines.join(''), /"level":40.*without a snapshot.*less than 64 MiB left/)
  lvm.pool = 'thin'
  lvm.commands.length = 0
  await (await snapshots.freeze(volume, 'b3')).release()
  assert.match(lvm.commands.join('\n'), /lvcreate --yes --snapshot --setactivationskip n --name/)
})

test('what a killed agent left is removed by the next one, and what cannot be removed is tried again', async (t) => {
  const { image, lvm, snapshots, records } = await setUp(t)
  await snapshots.freeze(await logicalVolume(image), 'b1')
  lvm.fails = /^lvremove/
  await snapshots.recover()
  assert.equal(readdirSync(records).length, 1)
  lvm.fails = undefined
  await snapshots.recover()
  assert.deepEqual([...lvm.volumes], ['root'])
  writeFileSync(join(records, 'cut.json'), '{"kind":')
  await snapshots.recover()
  assert.deepEqual(readdirSync(records), [])
})

test('a command that fails leaves no snapshot, no record, and a backup without one', async (t) => {
  const { image, lvm, snapshots, records, lines } = await setUp(t)
  lvm.fails = /^lvcreate/
  const frozen = await snapshots.freeze(await logicalVolume(image), 'b1')
  assert.equal(frozen.kind, 'none')
  assert.deepEqual(readdirSync(records), [])
  assert.match(lines.join(''), /lvcreate failed/)
})

test('an image on a file system without shared blocks is read as it is, and nothing is left beside it', async (t) => {
  const { image, snapshots, records, lines } = await setUp(t)
  const probe = `${image}.probe`
  try {
    copyFileSync(image, probe, 4)
    t.skip('the file system of the tests shares blocks')
    return
  } catch {
    // As expected here: EOPNOTSUPP.
  }
  const frozen = await snapshots.freeze(await openVolume({ path: image }), 'b1')
  assert.deepEqual([frozen.kind, frozen.path], ['none', image])
  assert.deepEqual(readdirSync(records), [])
  assert.match(lines.join(''), /it is no logical volume; its file system makes no copies that share blocks/)
  assert.deepEqual(readdirSync(join(image, '..')).sort(), ['image.raw', 'records'])
})

for (const [fileSystem, ...parameters] of [
  ['btrfs', 'mkfs.btrfs', '-q'],
  ['xfs', 'mkfs.xfs', '-q', '-m', 'reflink=1'],
] as const) {
  test(`an image on ${fileSystem} is read from a copy, which is removed as soon as its file system is there again`, async (t) => {
    const [tool = '', ...rest] = parameters
    if (!hasTools(t, tool, 'losetup', 'mount')) return
    const { snapshots, records } = await setUp(t)
    const disk = join(temporaryDirectory(t), 'disk')
    writeFileSync(disk, '')
    truncateSync(disk, 320 * mebibyte)
    run(tool, ...rest, disk)
    const device = attachLoop(t, disk)
    if (device === undefined) return
    const mountPoint = temporaryDirectory(t)
    run('mount', '-t', fileSystem, device, mountPoint)
    try {
      const image = join(mountPoint, 'image.raw')
      writeFileSync(image, Buffer.alloc(mebibyte, 1))
      const frozen = await snapshots.freeze(await openVolume({ path: image }), 'b1')
      assert.equal(frozen.kind, 'reflink')
      writeFileSync(image, Buffer.alloc(mebibyte, 2))
      assert.ok(readFileSync(frozen.path).equals(Buffer.alloc(mebibyte, 1)))
      await unmount(mountPoint)
      await snapshots.recover()
      run('mount', '-t', fileSystem, device, mountPoint)
      assert.ok(existsSync(frozen.path))
      await snapshots.recover()
      assert.ok(!existsSync(frozen.path))
      assert.deepEqual(readdirSync(records), [])
    } finally {
      await unmount(mountPoint)
    }
  })
}
