import assert from 'node:assert/strict'
import { truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { partitionTypes } from '@palisade/virtual-disk'
import { temporaryDirectory } from '../testing/temporary-directory.ts'
import { hasTools, run } from '../testing/tool.ts'
import { writePartitionedDisk } from '../testing/volumes/partitioned-disk.ts'
import { deviceIdOf } from './device-id.ts'
import { openVolume } from './open-volume.ts'

const mebibyte = 1024 * 1024

test('a file as a whole is a bare volume with everything in use', async (t) => {
  const path = join(temporaryDirectory(t), 'image.raw')
  writeFileSync(path, Buffer.alloc(5000, 'x'))
  const { description, sourcePath, offsetBytes, sizeBytes } = await openVolume({ path })
  assert.deepEqual([sourcePath, offsetBytes, sizeBytes], [path, 0, 5000])
  assert.deepEqual(description, {
    deviceId: deviceIdOf(path, undefined),
    driveLetter: '',
    label: '',
    fileSystem: 'unknown',
    capacityBytes: 5000,
    usedBytes: 5000,
    isBoot: false,
    firmware: 'bios',
    partitionScheme: 'none',
    partitionType: '',
    sourcePath: path,
    isSystem: false,
    diskId: path,
  })
})

test('a partition is found by its number, and says where it was', async (t) => {
  const path = join(temporaryDirectory(t), 'disk.raw')
  writePartitionedDisk(path, 'mbr', [{ type: '07' }, { type: '83', active: true }])
  const { description, offsetBytes, sizeBytes } = await openVolume({ path, partition: 2 })
  assert.deepEqual([offsetBytes, sizeBytes], [9 * mebibyte, 8 * mebibyte])
  const { partitionScheme, partitionType, capacityBytes, deviceId } = description
  assert.deepEqual([partitionScheme, partitionType, capacityBytes], ['mbr', '83', 8 * mebibyte])
  assert.equal(deviceId, deviceIdOf(path, 2))
})

test('a BIOS boots the active partition of an MBR', async (t) => {
  const path = join(temporaryDirectory(t), 'disk.raw')
  writePartitionedDisk(path, 'mbr', [{ type: '07' }, { type: '83', active: true }])
  const boots = async (partition: number) => {
    const { isBoot, firmware } = (await openVolume({ path, partition })).description
    return [isBoot, firmware]
  }
  assert.deepEqual(await boots(1), [false, 'bios'])
  assert.deepEqual(await boots(2), [true, 'bios'])
})

test('on a GPT disk with an EFI system partition that one starts others, and empty partitions beside it are data', async (t) => {
  const path = join(temporaryDirectory(t), 'disk.raw')
  const { efiSystem, microsoftReserved, basicData, recovery } = partitionTypes.gpt
  writePartitionedDisk(
    path,
    'gpt',
    [efiSystem, microsoftReserved, basicData, recovery].map((type) => ({ type })),
  )
  const roles = []
  for (const partition of [1, 2, 3, 4]) {
    const { description } = await openVolume({ path, partition })
    roles.push([description.isBoot, description.isSystem])
    assert.equal(description.firmware, 'uefi')
    assert.equal(description.partitionScheme, 'gpt')
  }
  const data = [false, false]
  assert.deepEqual(roles, [[true, true], data, data, data])
})

test('a GPT disk without an EFI system partition holds data', async (t) => {
  const path = join(temporaryDirectory(t), 'disk.raw')
  writePartitionedDisk(path, 'gpt', [{ type: partitionTypes.gpt.basicData }])
  const { isBoot, firmware, partitionType } = (await openVolume({ path, partition: 1 })).description
  assert.deepEqual([isBoot, firmware, partitionType], [false, 'bios', partitionTypes.gpt.basicData])
})

test('says what is wrong with a source that cannot be backed up', async (t) => {
  const directory = temporaryDirectory(t)
  const bare = join(directory, 'bare.raw')
  writeFileSync(bare, Buffer.alloc(mebibyte))
  const empty = join(directory, 'empty.raw')
  writeFileSync(empty, '')
  const disk = join(directory, 'disk.raw')
  writePartitionedDisk(disk, 'gpt', [{ type: partitionTypes.gpt.basicData }])
  const cut = join(directory, 'cut.raw')
  writePartitionedDisk(cut, 'gpt', [{ type: partitionTypes.gpt.basicData }])
  truncateSync(cut, 4 * mebibyte)
  const sources = [
    [{ path: join(directory, 'missing') }, /ENOENT/],
    [{ path: 'relative.raw' }, /absolute/],
    [{ path: directory }, /neither a file nor a block device/],
    [{ path: '/dev/null' }, /neither a file nor a block device/],
    [{ path: empty }, /empty/],
    [{ path: bare, partition: 1 }, /neither an MBR nor a GPT/],
    [{ path: disk, partition: 2 }, /no partition 2; it has 1 \(8 MiB, type EBD0A0A2-/],
    [{ path: disk }, /a disk with partitions; name one of them: 1 \(8 MiB/],
    [{ path: cut, partition: 1 }, /cannot be backed up/],
  ] as const
  for (const [source, message] of sources) {
    await assert.rejects(openVolume(source), { name: 'TaskFailure', code: 'SourceUnreadable', message })
  }
})

test('a disk that was one file system before it was divided is a disk with partitions', async (t) => {
  if (!hasTools(t, 'mkntfs', 'sfdisk')) return
  for (const label of ['gpt', 'dos']) {
    const path = join(temporaryDirectory(t), label)
    writeFileSync(path, '')
    truncateSync(path, 64 * mebibyte)
    run('mkntfs', '-q', '-F', '-Q', path)
    run('sh', '-c', `printf 'label: ${label}\nstart=65536\n' | sfdisk -q '${path}'`)
    assert.equal((await openVolume({ path, partition: 1 })).offsetBytes, 32 * mebibyte)
    await assert.rejects(openVolume({ path }), /it is a disk with partitions/)
  }
})

test('logical drives of an extended partition are found by their numbers', async (t) => {
  if (!hasTools(t, 'sfdisk')) return
  const path = join(temporaryDirectory(t), 'disk.raw')
  writeFileSync(path, '')
  truncateSync(path, 64 * mebibyte)
  const script = join(temporaryDirectory(t), 'script')
  writeFileSync(
    script,
    'label: dos\n1: size=8M, type=83\n2: size=40M, type=5\n5: size=8M, type=7\n6: size=8M, type=83\n',
  )
  run('sh', '-c', `sfdisk -q '${path}' < '${script}'`)
  const { description, partition } = await openVolume({ path, partition: 6 })
  assert.deepEqual([description.partitionType, description.capacityBytes], ['83', 8 * mebibyte])
  assert.ok(partition.isLogical)
  await assert.rejects(openVolume({ path, partition: 2 }), /no partition 2; it has 1 .*, 5 .*, 6 /)
})

test('a file system is no disk with partitions, whatever else its first sector looks like', async (t) => {
  if (!hasTools(t, 'mkntfs', 'mkfs.vfat', 'mke2fs')) return
  for (const [tool, ...parameters] of [
    ['mkntfs', '-q', '-F', '-Q'],
    ['mkfs.vfat', '-F', '16'],
    ['mke2fs', '-q', '-F'],
  ] as const) {
    const path = join(temporaryDirectory(t), tool)
    writeFileSync(path, '')
    truncateSync(path, 24 * mebibyte)
    run(tool, ...parameters, path)
    assert.equal((await openVolume({ path })).description.partitionScheme, 'none')
  }
})
