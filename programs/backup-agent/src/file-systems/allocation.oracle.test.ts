import assert from 'node:assert/strict'
import { randomBytes, randomInt } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type ByteSource, bufferSource, type Extent } from '@palisade/virtual-disk'
import { temporaryDirectory } from '../testing/temporary-directory.ts'
import { hasTools, run, runForBytes } from '../testing/tool.ts'
import { whileMounted } from '../testing/volumes/mount.ts'
import { raidLevels, writeRaidMember, writeRaidMemberAtEnd } from '../testing/volumes/raid-member.ts'
import { copyExtents, writeFilledImage } from '../testing/volumes/volume-image.ts'
import { readAllocation } from './read-allocation.ts'

const mebibyte = 1024 * 1024
const fillByte = 0xa5

/** The extents of a volume that is not to be read whole. */
async function extentsOf(volume: ByteSource): Promise<() => AsyncIterable<Extent>> {
  const allocation = await readAllocation(volume)
  return allocation.kind === 'extents' ? allocation.extents : assert.fail(allocation.why)
}

async function whyWhole(volume: Buffer): Promise<string> {
  const allocation = await readAllocation(bufferSource(volume))
  return allocation.kind === 'whole' ? allocation.why : assert.fail('it is not read whole')
}

/**
 * Files of many sizes, some of them in folders, with random content. None has less than 60 bytes: of data that is
 * within the inode, debugfs 1.47.0 writes at least 60, whatever the file has.
 */
function writeTree(directory: string, fileCount: number, sizeMaxBytes: number): void {
  mkdirSync(directory)
  for (let index = 0; index < fileCount; index++) {
    const folder = join(directory, `folder-${index % 5}`)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `file-${index}`), randomBytes(randomInt(60, sizeMaxBytes)))
  }
}

function filesIn(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1))
    .sort()
}

/** What dumpe2fs lists as free, as a byte a block: 1 for a block in use. */
function usedByDumpe2fs(image: string): { blockSizeBytes: number; used: Uint8Array } {
  const facts = run('dumpe2fs', image)
  const number = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(facts)?.[1])
  const used = new Uint8Array(number('Block count')).fill(1)
  const blocksPerCluster = (number('Cluster size') || number('Block size')) / number('Block size')
  for (const [, list = ''] of facts.matchAll(/^ {2}Free blocks: (.*)$/gm)) {
    for (const [, first, last] of list.matchAll(/(\d+)(?:-(\d+))?/g)) {
      // Of the last cluster only the first block is listed.
      used.fill(0, Number(first), Number(last ?? first) + blocksPerCluster)
    }
  }
  return { blockSizeBytes: number('Block size'), used }
}

const variants: readonly (readonly [name: string, parameters: readonly string[]])[] = [
  ['ext2', ['-t', 'ext2']],
  ['ext2 of revision 0', ['-t', 'ext2', '-r', '0']],
  ['ext3 with blocks of 1 KiB', ['-t', 'ext3', '-b', '1024']],
  ['ext4', ['-t', 'ext4']],
  ['ext4 of many small groups', ['-t', 'ext4', '-b', '1024', '-g', '1024', '-O', '^resize_inode']],
  ['ext4 without flexible groups', ['-t', 'ext4', '-b', '1024', '-O', '^flex_bg']],
  ['ext4 with flexible groups of 4', ['-t', 'ext4', '-b', '1024', '-G', '4']],
  ['ext4 with 32 bit', ['-t', 'ext4', '-O', '^64bit,^metadata_csum,uninit_bg']],
  ['ext4 without checksums', ['-t', 'ext4', '-O', '^metadata_csum,^uninit_bg']],
  ['ext4 with meta block groups', ['-t', 'ext4', '-b', '1024', '-g', '512', '-O', 'meta_bg,^resize_inode']],
  ['ext4 with two super blocks', ['-t', 'ext4', '-b', '1024', '-O', 'sparse_super2']],
  ['ext4 with copies in every group', ['-t', 'ext4', '-b', '1024', '-O', '^sparse_super,^resize_inode']],
  ['ext4 with clusters', ['-t', 'ext4', '-O', 'bigalloc', '-C', '16384']],
  ['ext4 with inline data', ['-t', 'ext4', '-O', 'inline_data']],
]

for (const [name, parameters] of variants) {
  test(`${name}: what is in use is what e2fsprogs says, and is all that the file system needs`, async (t) => {
    if (!hasTools(t, 'mke2fs', 'dumpe2fs', 'debugfs', 'e2fsck')) return
    const directory = temporaryDirectory(t)
    const [image, content, copy] = [
      join(directory, 'image'),
      join(directory, 'content'),
      join(directory, 'copy'),
    ]
    // An odd size: the last group is smaller, and some bytes lie behind the last block.
    const sizeBytes = 24 * mebibyte + 3 * 1024 + 512
    writeFilledImage(image, sizeBytes, fillByte)
    writeTree(content, 40, 300_000)
    run('mke2fs', '-q', '-F', '-E', 'nodiscard', ...parameters, '-d', content, image)
    // Holes between the files that stay.
    const removed = filesIn(content).filter((_, index) => index % 3 === 0)
    const commands = join(directory, 'commands')
    writeFileSync(commands, removed.map((file) => `rm ${file}\n`).join(''))
    run('debugfs', '-w', '-f', commands, image)
    run('e2fsck', '-fy', image)

    const volume = bufferSource(readFileSync(image))
    const extents = await extentsOf(volume)
    const { blockSizeBytes, used } = usedByDumpe2fs(image)
    const endBytes = used.length * blockSizeBytes
    const read = new Uint8Array(sizeBytes / 512)
    let end = -1
    for await (const { offsetBytes, sizeBytes: size } of extents()) {
      assert.ok(offsetBytes > end && size > 0, 'in order, joined, not empty')
      end = offsetBytes + size
      read.fill(1, offsetBytes / 512, end / 512)
    }
    const expected = Uint8Array.from({ length: sizeBytes / 512 }, (_, sector) =>
      sector * 512 < endBytes ? (used[Math.floor((sector * 512) / blockSizeBytes)] ?? 1) : 1,
    )
    // dumpe2fs does not list the boot block, which is in no group.
    assert.ok(Buffer.from(read).equals(Buffer.from(expected)))
    assert.ok(
      used.filter((block) => block === 0).length * blockSizeBytes > 8 * mebibyte,
      'much of it is free',
    )

    await copyExtents(volume, extents(), copy)
    run('e2fsck', '-fn', copy)
    const back = join(directory, 'back')
    mkdirSync(back)
    run('debugfs', '-R', `rdump / ${back}`, copy)
    const remaining = filesIn(content).filter((file) => !removed.includes(file))
    assert.deepEqual(filesIn(back), remaining)
    for (const file of remaining)
      assert.ok(readFileSync(join(back, file)).equals(readFileSync(join(content, file))), file)
  })
}

for (const clusterSizeBytes of [512, 1024, 4096, 65_536]) {
  test(`ntfs with clusters of ${clusterSizeBytes} bytes: what is in use is all that its files need`, async (t) => {
    if (!hasTools(t, 'mkntfs', 'ntfscp', 'ntfscat', 'ntfsinfo', 'ntfsfix')) return
    const directory = temporaryDirectory(t)
    const [image, content, copy] = [
      join(directory, 'image'),
      join(directory, 'content'),
      join(directory, 'copy'),
    ]
    const sizeBytes = 48 * mebibyte + 512
    writeFilledImage(image, sizeBytes, fillByte)
    run('mkntfs', '-q', '-F', '-Q', '-c', String(clusterSizeBytes), '-L', 'Archive', image)
    mkdirSync(content)
    const names = Array.from({ length: 12 }, (_, index) => `file-${index}`)
    for (const name of names) {
      writeFileSync(join(content, name), randomBytes(randomInt(mebibyte)))
      run('ntfscp', image, join(content, name), name)
    }
    const volume = bufferSource(readFileSync(image))
    const extents = await extentsOf(volume)
    await copyExtents(volume, extents(), copy)
    let readBytes = 0
    for await (const extent of extents()) readBytes += extent.sizeBytes
    const facts = run('ntfsinfo', '-m', image)
    const number = (name: string) => Number(new RegExp(`${name}: (\\d+)`).exec(facts)?.[1])
    const clusterCount = number('Volume Size in Clusters')
    const inUseBytes = (clusterCount - number('Free Clusters')) * clusterSizeBytes
    assert.equal(readBytes, inUseBytes + sizeBytes - clusterCount * clusterSizeBytes)
    assert.ok(readBytes < 30 * mebibyte)
    run('ntfsfix', '-n', copy)
    assert.equal(run('ntfsinfo', '-m', copy), facts.replaceAll(image, copy))
    for (const name of names) {
      const back = runForBytes('ntfscat', copy, name)
      assert.ok(back.equals(readFileSync(join(content, name))), name)
    }
  })
}

test('a bitmap whose group counts otherwise is not believed: the whole group is read', async (t) => {
  if (!hasTools(t, 'mke2fs')) return
  const image = join(temporaryDirectory(t), 'image')
  writeFileSync(image, '')
  truncateSync(image, 32 * mebibyte)
  run('mke2fs', '-q', '-F', '-t', 'ext4', '-b', '1024', '-O', '^flex_bg,^metadata_csum', image)
  const bytes = readFileSync(image)
  const sizeOf = async () => {
    let sum = 0
    for await (const { sizeBytes } of (await extentsOf(bufferSource(bytes)))()) sum += sizeBytes
    return sum
  }
  const before = await sizeOf()
  // The count of free blocks in the descriptor of group 1, which lies in the third block.
  const at = 2 * 1024 + 64 + 0x0c
  bytes.writeUInt16LE(bytes.readUInt16LE(at) - 1, at)
  const after = await sizeOf()
  assert.ok(after - before > 7 * mebibyte && after - before < 8 * mebibyte, `${after - before} bytes more`)
})

test('file systems that were not closed, have errors or are unknown are read whole, and it is said why', async (t) => {
  if (!hasTools(t, 'mke2fs', 'mkntfs')) return
  const directory = temporaryDirectory(t)
  const make = (name: string, tool: string, ...parameters: string[]) => {
    const image = join(directory, name)
    writeFileSync(image, '')
    truncateSync(image, 8 * mebibyte)
    run(tool, ...parameters, image)
    return readFileSync(image)
  }
  const ext = make('ext', 'mke2fs', '-q', '-F', '-t', 'ext4')
  const changed = (at: number, change: (value: number) => number) => {
    const bytes = Buffer.from(ext)
    bytes.writeUInt32LE(change(bytes.readUInt32LE(1024 + at)) >>> 0, 1024 + at)
    return bytes
  }
  assert.match(await whyWhole(changed(0x60, (features) => features | 0x4)), /journal .* replayed/)
  assert.match(await whyWhole(changed(0x38, (both) => both & ~0x1_0000)), /not closed/)
  assert.match(await whyWhole(changed(0x38, (both) => both | 0x2_0000)), /errors/)
  assert.match(await whyWhole(changed(0x60, (features) => features | 0x8000_0000)), /0x80000000/)
  assert.match(await whyWhole(changed(0x64, (features) => features | 0x40_0000)), /0x400000/)
  assert.match(await whyWhole(changed(0x04, (blocks) => blocks * 2)), /not possible/)
  assert.match(await whyWhole(changed(0x20, () => 0)), /not possible/)
  assert.match(await whyWhole(Buffer.alloc(mebibyte)), /no NTFS nor ext2/)

  const ntfs = make('ntfs', 'mkntfs', '-q', '-F', '-Q')
  const log = ntfs.indexOf(Buffer.alloc(64 * 1024, 0xff))
  assert.ok(log > 0)
  const inUse = Buffer.from(ntfs)
  inUse.fill(0, log, log + 8192)
  for (const at of [log, log + 4096]) {
    inUse.write('RSTR', at, 'latin1')
    inUse.writeUInt32LE(4096, at + 16)
    inUse.writeUInt16LE(0x30, at + 24)
  }
  assert.match(await whyWhole(inUse), /log .* replayed/)
  // Whose newer page says that it was closed, was closed.
  inUse.writeUInt32LE(7, log + 4096 + 0x30)
  inUse.writeUInt16LE(2, log + 4096 + 0x30 + 14)
  assert.equal((await readAllocation(bufferSource(inUse))).kind, 'extents')
})

test('a member of a software RAID is read whole, whatever file system was there before', async (t) => {
  if (!hasTools(t, 'mkntfs')) return
  const image = join(temporaryDirectory(t), 'image')
  writeFileSync(image, '')
  truncateSync(image, 16 * mebibyte)
  for (const version of ['1.2', '1.0', '0.90'] as const) {
    run('mkntfs', '-q', '-F', image)
    if (version === '1.2') writeRaidMember(image, 'here:files')
    else writeRaidMemberAtEnd(image, version, raidLevels.parity)
    assert.match(await whyWhole(readFileSync(image)), /member of a software RAID/)
  }
})

test('random damage never leads to an error, nor to bytes beyond the volume', async (t) => {
  if (!hasTools(t, 'mke2fs', 'mkntfs')) return
  const directory = temporaryDirectory(t)
  let extents = 0
  for (const [tool, ...parameters] of [
    ['mke2fs', '-q', '-F', '-t', 'ext4', '-b', '1024'],
    ['mkntfs', '-q', '-F', '-Q'],
  ] as const) {
    const image = join(directory, tool)
    writeFileSync(image, '')
    truncateSync(image, 12 * mebibyte)
    run(tool, ...parameters, image)
    const bytes = readFileSync(image)
    const intact = Buffer.from(bytes)
    for (let round = 0; round < 300; round++) {
      const start = randomInt(round % 2 === 0 ? 4096 : 256 * 1024)
      randomBytes(randomInt(1, 8)).copy(bytes, start)
      const allocation = await readAllocation(bufferSource(bytes))
      if (allocation.kind === 'extents') {
        for await (const { offsetBytes, sizeBytes } of allocation.extents()) {
          assert.ok(offsetBytes >= 0 && sizeBytes > 0 && offsetBytes + sizeBytes <= bytes.length)
          extents++
        }
      }
      intact.copy(bytes, start, start, start + 8)
    }
  }
  assert.ok(extents > 1000)
})

test('a mounted ext4 is read whole, and one that is frozen as for a snapshot by what it has in use', async (t) => {
  if (!hasTools(t, 'mke2fs', 'mount', 'fsfreeze')) return
  const image = join(temporaryDirectory(t), 'image')
  writeFileSync(image, '')
  truncateSync(image, 64 * mebibyte)
  run('mke2fs', '-q', '-F', '-t', 'ext4', image)
  const content = randomBytes(5 * mebibyte)
  const isMounted = await whileMounted(t, image, ['mount', '-o', 'loop'], async (folder) => {
    writeFileSync(join(folder, 'file'), content)
    run('sync')
    assert.match(await whyWhole(readFileSync(image)), /journal .* replayed/)
    run('fsfreeze', '--freeze', folder)
    try {
      const volume = bufferSource(readFileSync(image))
      const copy = join(temporaryDirectory(t), 'copy')
      await copyExtents(volume, (await extentsOf(volume))(), copy)
      run('e2fsck', '-fn', copy)
      assert.ok(runForBytes('debugfs', '-R', 'cat file', copy).equals(content))
    } finally {
      run('fsfreeze', '--unfreeze', folder)
    }
  })
  if (isMounted) assert.equal((await readAllocation(bufferSource(readFileSync(image)))).kind, 'extents')
})
