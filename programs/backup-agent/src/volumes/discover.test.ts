import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createLog } from '@palisade/log'
import { partitionTypes } from '@palisade/virtual-disk'
import { readFrame } from '../backup/disk-frame.ts'
import { temporaryDirectory } from '../testing/temporary-directory.ts'
import { hasTools, run } from '../testing/tool.ts'
import { attachLoop } from '../testing/volumes/mount.ts'
import { writePartitionedDisk } from '../testing/volumes/partitioned-disk.ts'
import { writeRaidMember } from '../testing/volumes/raid-member.ts'
import { deviceIdOf } from './device-id.ts'
import { discoverVolumes } from './discover.ts'
import type { Machine } from './machine.ts'
import { openSource } from './open-source.ts'
import { openVolume } from './open-volume.ts'

const mebibyte = 1024 * 1024
const log = createLog('silent')
const everything = { images: [], include: [], exclude: [] }

/** A machine whose /sys, /proc and /dev are folders, and whose devices are files. */
class PaperMachine implements Machine {
  readonly sys: string
  readonly proc: string
  readonly dev: string

  constructor(t: TestContext) {
    const root = temporaryDirectory(t)
    this.sys = join(root, 'sys')
    this.proc = join(root, 'proc')
    this.dev = join(root, 'dev')
    for (const path of [join(this.sys, 'class/block'), join(this.proc, 'self'), join(this.dev, 'mapper')]) {
      mkdirSync(path, { recursive: true })
    }
  }

  /** What the kernel tells of a device, as in /sys/devices. */
  tell(path: string, files: Readonly<Record<string, string>>, sizeBytes = 64 * mebibyte): void {
    const directory = join(this.sys, 'devices', path)
    for (const [name, text] of Object.entries({ size: String(sizeBytes / 512), ...files })) {
      mkdirSync(dirname(join(directory, name)), { recursive: true })
      writeFileSync(join(directory, name), `${text}\n`)
    }
    symlinkSync(directory, join(this.sys, 'class/block', path.split('/').at(-1) ?? ''))
  }

  mount(lines: readonly string[]): void {
    writeFileSync(join(this.proc, 'self/mountinfo'), `${lines.join('\n')}\n`)
  }

  image(name: string, sizeBytes = 64 * mebibyte): string {
    const path = join(this.dev, name)
    writeFileSync(path, '')
    truncateSync(path, sizeBytes)
    return path
  }
}

/** One disk with an EFI system partition, a data partition, and a member of a volume group with a root on it. */
function machineWithLvm(t: TestContext): PaperMachine {
  const machine = new PaperMachine(t)
  const { efiSystem, basicData, linux } = partitionTypes.gpt
  writePartitionedDisk(
    join(machine.dev, 'sda'),
    'gpt',
    [efiSystem, basicData, linux].map((type) => ({ type })),
  )
  machine.tell('sda', { dev: '8:0', removable: '0' })
  for (const number of [1, 2, 3])
    machine.tell(`sda/sda${number}`, { dev: `8:${number}`, partition: String(number) })
  machine.image('dm-0')
  symlinkSync(join(machine.dev, 'dm-0'), join(machine.dev, 'mapper/vg-root'))
  const uuid = `LVM-${'x'.repeat(64)}`
  machine.tell('dm-0', { dev: '253:0', 'dm/name': 'vg-root', 'dm/uuid': uuid, 'slaves/sda3': '' })
  machine.tell('dm-1', {
    dev: '253:1',
    'dm/name': 'vg-pool_tdata',
    'dm/uuid': `${uuid}-tdata`,
    'slaves/sda3': '',
  })
  machine.tell('loop0', { dev: '7:0' })
  machine.tell('sr0', { dev: '11:0', removable: '1' }, 0)
  machine.image('sdb')
  machine.tell('sdb', { dev: '8:16', removable: '1' })
  machine.mount([
    '22 1 253:0 / / rw shared:1 - xfs /dev/mapper/vg-root rw',
    '23 22 8:1 / /boot/efi rw - vfat /dev/sda1 rw',
  ])
  return machine
}

test('finds partitions, logical volumes and removable disks, and nothing that is made of files or is a part', async (t) => {
  const machine = machineWithLvm(t)
  const volumes = await discoverVolumes(everything, log, machine)
  const facts = volumes.map(({ source, volumeKind, driveType, unsupportedReason }) => [
    source.path.slice(machine.dev.length),
    source.partition,
    volumeKind,
    driveType,
    unsupportedReason,
  ])
  assert.deepEqual(facts, [
    ['/mapper/vg-root', undefined, 3, 3, 0],
    ['/sda', 1, 1, 3, 0],
    ['/sda', 2, 1, 3, 0],
    ['/sda', 3, 1, 3, 0],
    ['/sdb', undefined, 0, 2, 2],
  ])
})

test('a root on a logical volume is a boot volume of the disk below, with the firmware of that', async (t) => {
  const machine = machineWithLvm(t)
  const volumes = await discoverVolumes(everything, log, machine)
  const [root, efi, data] = volumes.map(({ volume }) => volume)
  assert.deepEqual([root?.isBoot, root?.isSystem, root?.firmware], [true, false, 'uefi'])
  assert.deepEqual([efi?.isBoot, efi?.isSystem, efi?.diskId], [true, true, join(machine.dev, 'sda')])
  assert.equal(root?.diskId, efi?.diskId)
  assert.deepEqual([data?.isBoot, data?.isSystem], [false, false])
})

test('what is on several disks belongs to the one that starts a computer: /boot and a root on software RAIDs', async (t) => {
  const machine = new PaperMachine(t)
  const { efiSystem, linux } = partitionTypes.gpt
  for (const [name, type] of Object.entries({ sda: linux, sdb: efiSystem })) {
    writePartitionedDisk(join(machine.dev, name), 'gpt', [{ type }, { type: linux }])
    machine.tell(name, { dev: name, removable: '0' })
    for (const partition of ['1', '2'])
      machine.tell(`${name}/${name}${partition}`, { dev: name + partition, partition })
  }
  for (const name of ['md0', 'md1']) {
    machine.image(name)
    machine.tell(name, { dev: name, 'md/level': 'raid1', 'slaves/sda2': '', 'slaves/sdb2': '' })
  }
  machine.mount(['22 1 md0 / /boot rw - xfs /dev/md0 rw', '23 1 md1 / / rw - xfs /dev/md1 rw'])
  const volumes = (await discoverVolumes(everything, log, machine)).map(({ volume }) => volume)
  const arrays = volumes.filter(({ partitionScheme }) => partitionScheme === 'none')
  const efi = volumes.find(({ partitionType }) => partitionType === efiSystem)
  assert.equal(efi?.diskId, join(machine.dev, 'sdb'))
  assert.deepEqual(
    arrays.map(({ isSystem, diskId, firmware }) => [isSystem, diskId, firmware]),
    [
      [true, efi?.diskId, 'uefi'],
      [false, efi?.diskId, 'uefi'],
    ],
  )
})

test('a partition is the same volume by its own name and by its disk, and what a link names stays that', async (t) => {
  const machine = machineWithLvm(t)
  const partition = machine.image('sda2', mebibyte)
  const byDisk = await openVolume({ path: join(machine.dev, 'sda'), partition: 2 }, machine)
  const byName = await openVolume({ path: partition }, machine)
  assert.deepEqual(byName.description, byDisk.description)
  assert.equal(byName.description.partitionScheme, 'gpt')
  const link = join(machine.dev, 'disk/by-id/wwn-1-part2')
  mkdirSync(dirname(link), { recursive: true })
  symlinkSync(partition, link)
  const byLink = await openVolume({ path: link }, machine)
  assert.equal(byLink.description.deviceId, deviceIdOf(link, undefined))
  assert.equal(byLink.offsetBytes, byDisk.offsetBytes)
})

test('the operator adds images, and says what is offered', async (t) => {
  const machine = machineWithLvm(t)
  const image = join(temporaryDirectory(t), 'disk.raw')
  writePartitionedDisk(image, 'mbr', [{ type: '83' }, { type: '07' }])
  const settings = {
    images: [image, '/nowhere/at.all'],
    include: ['*.raw', `${machine.dev}/sda`],
    exclude: ['*#1'],
  }
  const volumes = await discoverVolumes(settings, log, machine)
  assert.deepEqual(
    volumes.map(({ source }) => source),
    [2, 3]
      .map((partition) => ({ path: join(machine.dev, 'sda'), partition }))
      .concat({ path: image, partition: 2 }),
  )
})

test('a device is chosen and excluded by all the names that the system gives it', async (t) => {
  const machine = machineWithLvm(t)
  const at = (path: string) => join(machine.dev, path)
  machine.image('sda2', mebibyte)
  for (const [link, target] of [
    ['vg/root', 'dm-0'],
    ['disk/by-id/wwn-1', 'sda'],
    ['disk/by-id/wwn-1-part2', 'sda2'],
    ['shm/mine', 'sdb'],
  ] as const) {
    mkdirSync(dirname(at(link)), { recursive: true })
    symlinkSync(at(target), at(link))
  }
  chmodSync(at('shm'), 0o1777)
  const root = { path: at('mapper/vg-root') }
  const second = { path: at('sda'), partition: 2 }
  const choices = [
    ...['vg/root', 'vg/*', 'mapper/vg-root', 'dm-0'].map((name) => [name, root] as const),
    ...['sda2', 'disk/by-id/*-part2', 'disk/by-id/wwn-1#2', 'sda#2'].map((name) => [name, second] as const),
  ]
  for (const [pattern, source] of choices) {
    const include = { images: [], include: [at(pattern)], exclude: [] }
    const volumes = await discoverVolumes(include, log, machine)
    assert.deepEqual(
      volumes.map((volume) => volume.source),
      [source],
      pattern,
    )
    const others = await discoverVolumes({ images: [], include: [], exclude: [at(pattern)] }, log, machine)
    assert.equal(others.length, 4, pattern)
    await openVolume(source, machine, include)
    for (const name of ['vg/root', 'dm-0', 'sda2', 'disk/by-id/wwn-1-part2']) {
      const isSame = (source === root) === /root|dm/.test(name)
      const opening = openVolume({ path: at(name) }, machine, {
        images: [],
        include: [],
        exclude: [at(pattern)],
      })
      await (isSame ? assert.rejects(opening, /not what the owner/) : opening)
    }
  }
  const anybodys = { images: [], include: [at('shm/*')], exclude: [] }
  await assert.rejects(openVolume({ path: at('shm/mine') }, machine, anybodys), /not what the owner/)
})

test('swap, members of volume groups and RAIDs, and encrypted volumes are named with the reason why they are not backed up', async (t) => {
  if (!hasTools(t, 'mkswap')) return
  const machine = new PaperMachine(t)
  run('mkswap', machine.image('sda'))
  writeFileSync(machine.image('sdb'), Buffer.from('4c554b53babe0002', 'hex'), { flag: 'r+' })
  machine.tell('sda', { dev: '8:0' })
  machine.tell('sdb', { dev: '8:16' })
  writeRaidMember(machine.image('sdc'), 'here:files')
  machine.tell('sdc', { dev: '8:32' })
  const volumes = await discoverVolumes(everything, log, machine)
  assert.deepEqual(
    volumes.map(({ volume, unsupportedReason }) => [volume.fileSystem, unsupportedReason]),
    [
      ['swap', 1],
      ['luks', 4],
      ['mdraid', 1],
    ],
  )
})

test('a partition of a real block device is read by the size and place that the kernel tells', async (t) => {
  if (!hasTools(t, 'losetup', 'mke2fs')) return
  const image = join(temporaryDirectory(t), 'disk.raw')
  writePartitionedDisk(image, 'gpt', [{ type: partitionTypes.gpt.linux }, { type: partitionTypes.gpt.linux }])
  run('mke2fs', '-q', '-F', '-t', 'ext4', '-L', 'second', '-E', `offset=${9 * mebibyte}`, image, '8M')
  const device = attachLoop(t, image, '--partscan')
  if (device === undefined) return
  const byDisk = await openVolume({ path: device, partition: 2 })
  assert.deepEqual([byDisk.description.label, byDisk.sizeBytes], ['second', 8 * mebibyte])
  await assert.rejects(openVolume({ path: device }), /name one of them: 1 \(8 MiB.*2 \(8 MiB/)
  const volumes = await discoverVolumes({ images: [device], include: [device], exclude: [] }, log)
  assert.deepEqual(
    volumes.map(({ volume }) => volume.label),
    ['', 'second'],
  )
  const byPartition = await openVolume({ path: `${device}p2` }).catch((error) => t.diagnostic(String(error)))
  if (byPartition) assert.equal(byPartition.description.deviceId, byDisk.description.deviceId)
})

test('an MBR counts in the sectors of its device', async (t) => {
  if (!hasTools(t, 'losetup', 'mke2fs', 'sfdisk')) return
  const image = join(temporaryDirectory(t), 'disk.raw')
  writePartitionedDisk(image, 'mbr', [{ type: '83' }, { type: '83' }], 4096)
  run('mke2fs', '-q', '-F', '-t', 'ext4', '-L', 'second', '-E', `offset=${9 * mebibyte}`, image, '8M')
  const device = attachLoop(t, image, '--sector-size', '4096')
  if (device === undefined) return
  assert.match(run('sfdisk', '--dump', device), /start= +2304, size= +2048/)
  const { description, offsetBytes } = await openVolume({ path: device, partition: 2 })
  assert.deepEqual([description.label, offsetBytes], ['second', 9 * mebibyte])
  assert.equal(description.placement?.disk.sectorSizeBytes, 4096)
  const disk = await openSource(device)
  assert.equal((await readFrame(disk))?.length, 1)
  await disk.close()
})

test('the volumes of the machine that runs this can be told', async (t) => {
  const volumes = await discoverVolumes(everything, log)
  for (const { source, volume } of volumes)
    t.diagnostic(`${source.path} ${source.partition ?? ''} ${volume.fileSystem}`)
  assert.ok(volumes.every(({ volume }) => volume.capacityBytes > 0))
})
