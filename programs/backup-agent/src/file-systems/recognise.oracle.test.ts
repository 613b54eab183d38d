import assert from 'node:assert/strict'
import { randomBytes, randomInt } from 'node:crypto'
import { mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { bufferSource } from '@palisade/virtual-disk'
import { temporaryDirectory } from '../testing/temporary-directory.ts'
import { hasTools, run } from '../testing/tool.ts'
import { attachLoop } from '../testing/volumes/mount.ts'
import { raidLevels, writeRaidMember, writeRaidMemberAtEnd } from '../testing/volumes/raid-member.ts'
import { recogniseFileSystem } from './recognise.ts'

const mebibyte = 1024 * 1024

function emptyImage(t: TestContext, sizeBytes: number): string {
  const image = join(temporaryDirectory(t), 'image')
  writeFileSync(image, '')
  truncateSync(image, sizeBytes)
  return image
}

const recognise = (image: string) => recogniseFileSystem(bufferSource(readFileSync(image)))

/** What util-linux takes for the id of a file system. */
const idByBlkid = (image: string) => run('blkid', '-p', '-s', 'UUID', '-o', 'value', image).trim()

for (const [type, features] of [
  ['ext2', '^extents,^64bit'],
  ['ext3', '^extents,^64bit'],
  ['ext4', '64bit'],
] as const) {
  test(`${type}: label, and what e2fsprogs says is in use`, async (t) => {
    if (!hasTools(t, 'mke2fs', 'dumpe2fs')) return
    const image = emptyImage(t, 48 * mebibyte)
    const content = join(temporaryDirectory(t), 'content')
    mkdirSync(content)
    writeFileSync(join(content, 'file'), randomBytes(5 * mebibyte))
    run('mke2fs', '-q', '-F', '-t', type, '-O', features, '-L', 'Wurzel äö', '-d', content, image)
    const facts = run('dumpe2fs', '-h', image)
    const number = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(facts)?.[1])
    const usedBlocks = number('Block count') - number('Free blocks')
    assert.deepEqual(await recognise(image), {
      name: type,
      label: 'Wurzel äö',
      id: idByBlkid(image),
      usedBytes: usedBlocks * number('Block size'),
    })
  })
}

for (const clusterSize of [512, 4096, 65_536]) {
  test(`ntfs with clusters of ${clusterSize} bytes: label, and what ntfs-3g says is in use`, async (t) => {
    if (!hasTools(t, 'mkntfs', 'ntfscp', 'ntfsinfo')) return
    const image = emptyImage(t, 40 * mebibyte)
    run('mkntfs', '-q', '-F', '-Q', '-c', String(clusterSize), '-L', 'Données', image)
    const file = join(temporaryDirectory(t), 'file')
    writeFileSync(file, randomBytes(7 * mebibyte))
    run('ntfscp', image, file, 'file')
    const facts = run('ntfsinfo', '-m', image)
    const number = (name: string) => Number(new RegExp(`${name}: (\\d+)`).exec(facts)?.[1])
    const usedClusters = number('Volume Size in Clusters') - number('Free Clusters')
    assert.ok(usedClusters * clusterSize > 7 * mebibyte)
    assert.deepEqual(await recognise(image), {
      name: 'ntfs',
      label: 'Données',
      id: idByBlkid(image),
      usedBytes: usedClusters * clusterSize,
    })
  })
}

for (const [bits, sizeBytes, clusterSectors] of [
  [12, 2 * mebibyte, 2],
  [16, 24 * mebibyte, 2],
  [32, 40 * mebibyte, 1],
] as const) {
  test(`fat${bits}: label of the root directory, and the clusters of the files in it`, async (t) => {
    if (!hasTools(t, 'mkfs.vfat', 'mcopy', 'mlabel')) return
    const image = emptyImage(t, sizeBytes)
    run('mkfs.vfat', '-F', String(bits), '-s', String(clusterSectors), '-n', 'OLD', image)
    run('mlabel', '-i', image, '::STICK 1')
    const clusterSizeBytes = clusterSectors * 512
    const file = join(temporaryDirectory(t), 'file')
    writeFileSync(file, randomBytes(1000 * clusterSizeBytes - 17))
    run('mcopy', '-i', image, file, '::file')
    // The root of FAT32 is a cluster like any other; the others keep theirs in front of the clusters.
    const usedClusters = 1000 + (bits === 32 ? 1 : 0)
    assert.deepEqual(await recognise(image), {
      name: `fat${bits}`,
      label: 'STICK 1',
      id: idByBlkid(image),
      usedBytes: usedClusters * clusterSizeBytes,
    })
  })
}

for (const [title, parameters] of [
  ['of few clusters, as on large sectors', ['-F', '32', '-S', '4096']],
  ['with more copies of its FAT than two', ['-F', '16', '-f', '4']],
] as const) {
  test(`fat ${title}: what blkid finds`, async (t) => {
    if (!hasTools(t, 'mkfs.vfat', 'blkid')) return
    const image = emptyImage(t, 64 * mebibyte)
    run('mkfs.vfat', ...parameters, '-n', 'FEW', image)
    const version = run('blkid', '-p', '-s', 'VERSION', '-o', 'value', image).trim()
    const { usedBytes, ...facts } = (await recognise(image)) ?? assert.fail()
    assert.deepEqual(facts, { name: version.toLowerCase(), label: 'FEW', id: idByBlkid(image) })
    assert.ok(usedBytes !== undefined && usedBytes <= 4096, `${usedBytes} bytes used`)
  })
}

test('fat without a label has none', async (t) => {
  if (!hasTools(t, 'mkfs.vfat')) return
  const image = emptyImage(t, 24 * mebibyte)
  run('mkfs.vfat', '-F', '16', image)
  assert.equal((await recognise(image))?.label, '')
})

test('exfat: label, and what is in use right after formatting', async (t) => {
  if (!hasTools(t, 'mkfs.exfat', 'dump.exfat')) return
  const image = emptyImage(t, 40 * mebibyte)
  run('mkfs.exfat', '-L', 'Karte', image)
  const facts = run('dump.exfat', image)
  const number = (name: string) => Number(new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(facts)?.[1])
  const usedClusters = number('Total Clusters') - number('Free Clusters')
  assert.deepEqual(await recognise(image), {
    name: 'exfat',
    label: 'Karte',
    id: idByBlkid(image),
    usedBytes: usedClusters * number('Cluster size'),
  })
})

test('xfs: label, UUID, and what is in use right after formatting', async (t) => {
  if (!hasTools(t, 'mkfs.xfs', 'xfs_db', 'blkid')) return
  const image = emptyImage(t, 320 * mebibyte)
  run('mkfs.xfs', '-q', '-L', 'archive', image)
  const facts = run('xfs_db', '-r', '-c', 'sb 0', '-c', 'p dblocks fdblocks blocksize', image)
  const number = (name: string) => Number(new RegExp(`^${name} = (\\d+)`, 'm').exec(facts)?.[1])
  assert.deepEqual(await recognise(image), {
    name: 'xfs',
    label: 'archive',
    id: idByBlkid(image),
    usedBytes: (number('dblocks') - number('fdblocks')) * number('blocksize'),
  })
})

test('btrfs: label, UUID, and what its own tools say is in use', async (t) => {
  if (!hasTools(t, 'mkfs.btrfs', 'btrfs', 'blkid')) return
  const image = emptyImage(t, 128 * mebibyte)
  run('mkfs.btrfs', '-q', '-L', 'pool one', image)
  const usedBytes = Number(
    /^bytes_used\s+(\d+)/m.exec(run('btrfs', 'inspect-internal', 'dump-super', image))?.[1],
  )
  assert.ok(usedBytes > 0)
  assert.deepEqual(await recognise(image), {
    name: 'btrfs',
    label: 'pool one',
    id: idByBlkid(image),
    usedBytes,
  })
})

test('swap: label and UUID, whatever the size of a page', async (t) => {
  if (!hasTools(t, 'mkswap', 'blkid')) return
  for (const pageSize of ['4096', '65536']) {
    const image = emptyImage(t, 4 * mebibyte)
    run('mkswap', '-p', pageSize, '-L', 'more', image)
    assert.deepEqual(await recognise(image), {
      name: 'swap',
      label: 'more',
      id: idByBlkid(image),
      usedBytes: undefined,
    })
  }
})

for (const [version, label] of [
  ['luks1', ''],
  ['luks2', 'secrets'],
] as const) {
  test(`${version}: is seen to be encrypted`, async (t) => {
    if (!hasTools(t, 'cryptsetup', 'blkid')) return
    const image = emptyImage(t, 32 * mebibyte)
    const passphrase = join(temporaryDirectory(t), 'passphrase')
    writeFileSync(passphrase, 'something to forget')
    run(
      ...(['cryptsetup', 'luksFormat', '-q', '--type', version, '--pbkdf', 'pbkdf2'] as const),
      ...(['--pbkdf-force-iterations', '1000', '--key-file', passphrase] as const),
      ...(label === '' ? [] : ['--label', label]),
      image,
    )
    assert.deepEqual(await recognise(image), {
      name: 'luks',
      label,
      id: idByBlkid(image),
      usedBytes: undefined,
    })
  })
}

test('lvm2: a member of a volume group is told from what its logical volumes hold', async (t) => {
  if (!hasTools(t, 'pvcreate', 'losetup', 'blkid')) return
  const image = emptyImage(t, 16 * mebibyte)
  const device = attachLoop(t, image)
  if (device === undefined) return
  run('pvcreate', '-q', '--config', 'devices{scan="/dev" use_devicesfile=0}', device)
  assert.deepEqual(await recognise(image), {
    name: 'lvm2',
    label: '',
    id: idByBlkid(image),
    usedBytes: undefined,
  })
})

test('mdraid: a member with its super block in front is told from what was there before', async (t) => {
  if (!hasTools(t, 'mkntfs', 'blkid')) return
  const image = emptyImage(t, 16 * mebibyte)
  run('mkntfs', '-q', '-F', '-Q', image)
  writeRaidMember(image, 'here:files')
  assert.equal(run('blkid', '-p', '-s', 'TYPE', '-o', 'value', image).trim(), 'linux_raid_member')
  const id = idByBlkid(image)
  assert.deepEqual(await recognise(image), { name: 'mdraid', label: 'here:files', id, usedBytes: undefined })
})

for (const [version, label] of [
  ['1.0', 'here:files'],
  ['0.90', ''],
] as const) {
  test(`mdraid ${version}: a member is told by its end, but for that of a mirror, which holds what the RAID holds`, async (t) => {
    if (!hasTools(t, 'mkntfs', 'blkid')) return
    // No multiple of 64 KiB, which one of the versions counts in.
    const image = emptyImage(t, 16 * mebibyte + 5 * 4096)
    run('mkntfs', '-q', '-F', '-Q', image)
    writeRaidMemberAtEnd(image, version, raidLevels.parity)
    assert.equal(run('blkid', '-p', '-s', 'TYPE', '-o', 'value', image).trim(), 'linux_raid_member')
    const id = idByBlkid(image)
    assert.deepEqual(await recognise(image), { name: 'mdraid', label, id, usedBytes: undefined })
    writeRaidMemberAtEnd(image, version, raidLevels.mirror)
    assert.equal((await recognise(image))?.name, 'ntfs')
  })
}

/** Images of each kind, for tests that damage them. */
function realImages(t: TestContext): readonly Buffer[] {
  const make = (sizeBytes: number, tool: string, ...parameters: string[]) => {
    const image = emptyImage(t, sizeBytes)
    run(tool, ...parameters, image)
    return readFileSync(image)
  }
  return [
    make(8 * mebibyte, 'mke2fs', '-q', '-F', '-t', 'ext4'),
    make(8 * mebibyte, 'mkntfs', '-q', '-F', '-Q'),
    make(3 * mebibyte, 'mkfs.vfat', '-F', '12'),
    make(40 * mebibyte, 'mkfs.vfat', '-F', '32', '-s', '1'),
    make(8 * mebibyte, 'mkfs.exfat'),
  ]
}

test('an image that was cut anywhere is recognised as far as it goes, and never an error', async (t) => {
  if (!hasTools(t, 'mke2fs', 'mkntfs', 'mkfs.vfat', 'mkfs.exfat')) return
  let recognised = 0
  for (const image of realImages(t)) {
    for (const sizeBytes of [0, 1, 511, 512, 1024, 2048, 4096, 20_000, 100_000, mebibyte, image.length - 1]) {
      const facts = await recogniseFileSystem(bufferSource(image.subarray(0, sizeBytes)))
      if (facts !== undefined) recognised++
    }
  }
  assert.ok(recognised > 20)
})

test('an image with random damage in its structures is never an error', async (t) => {
  if (!hasTools(t, 'mke2fs', 'mkntfs', 'mkfs.vfat', 'mkfs.exfat')) return
  const reachBytes = 128 * 1024
  let rounds = 0
  for (const image of realImages(t)) {
    const intact = Buffer.from(image.subarray(0, reachBytes))
    for (let round = 0; round < 200; round++, rounds++) {
      // Half of the damage goes to the first sectors, where everything begins.
      const start = randomInt(round % 2 === 0 ? 1100 : reachBytes - 16)
      randomBytes(randomInt(1, 16)).copy(image, start)
      const source = bufferSource(round % 4 === 0 ? image.subarray(0, reachBytes) : image)
      const facts = await recogniseFileSystem(source)
      assert.ok(facts?.usedBytes === undefined || Number.isSafeInteger(facts.usedBytes))
      intact.copy(image)
    }
  }
  assert.equal(rounds, 1000)
})

test('random bytes are not a file system', async () => {
  for (let round = 0; round < 200; round++) {
    assert.equal(await recogniseFileSystem(bufferSource(randomBytes(64 * 1024))), undefined)
  }
})
