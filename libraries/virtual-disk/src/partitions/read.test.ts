import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { bufferSource } from '../byte-source.ts'
import { MIB } from '../extent.ts'
import { randomGuid } from '../guid.ts'
import {
  DISK_SIZE_BYTES,
  diskWith,
  gptPartition,
  gptTable,
  mbrPartition,
  mbrTable,
} from '../testing/partition-tables.ts'
import { encodePartitionTable } from './encode.ts'
import type { PartitionTable } from './partition-table.ts'
import { readPartitionTable } from './read.ts'

async function read(disk: Buffer): Promise<PartitionTable & { problems: readonly string[] }> {
  const { problems, ...table } = await readPartitionTable(bufferSource(disk))
  return { ...table, problems: problems.map((problem) => problem.code) }
}

test('reads back a GPT as it was written, with sectors of 512 and of 4096 bytes', async () => {
  const large = { ...gptTable, sectorSizeBytes: 4096 as const, partitions: gptTable.partitions.slice(0, 2) }
  for (const table of [gptTable, large]) {
    assert.deepEqual(await read(diskWith(table)), { ...table, problems: [] })
  }
})

test('reads back an MBR with logical drives as it was written', async () => {
  assert.deepEqual(await read(diskWith(mbrTable)), { ...mbrTable, problems: [] })
})

test('reads back chains of extended boot records that start without a drive, or have none', async () => {
  const [first, third, , ...drives] = mbrTable.partitions
  assert.ok(first && third)
  const renumbered = drives.map((drive, index) => ({
    ...drive,
    number: 5 + index,
    uniqueId: `1A2B3C4D-0${5 + index}`,
  }))
  for (const partitions of [
    [first, third],
    [first, third, ...renumbered],
  ]) {
    const table = { ...mbrTable, partitions }
    assert.deepEqual(await read(diskWith(table)), { ...table, problems: [] })
  }
})

test('reads an MBR without partitions as an empty table', async () => {
  const table: PartitionTable = { ...mbrTable, partitions: [] }
  const { extended: _, ...empty } = table
  assert.deepEqual(await read(diskWith(empty)), { ...empty, problems: [] })
})

test('reads back every GPT that can be written', async () => {
  const slots = fc.uniqueArray(fc.integer({ min: 1, max: 128 }), { minLength: 0, maxLength: 20 })
  const property = fc.asyncProperty(
    slots,
    fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
    async (numbers, attributes) => {
      const partitions = numbers
        .toSorted((a, b) => a - b)
        .map((number, index) => ({
          ...gptPartition(number, MIB + index * 8192, 512 * ((number % 16) + 1)),
          attributes,
        }))
      const table = { ...gptTable, diskSizeBytes: 2 * MIB, partitions }
      assert.deepEqual(await read(diskWith(table)), { ...table, problems: [] })
    },
  )
  await fc.assert(property, { numRuns: 40 })
})

test('finds any single damaged byte of a GPT, and reads the partitions all the same', async () => {
  const headerAndEntries = [
    ...range(512, 512 + 92),
    ...range(1024, 1024 + 256),
    ...range(DISK_SIZE_BYTES - 512, DISK_SIZE_BYTES - 512 + 92),
    ...range(DISK_SIZE_BYTES - 33 * 512, DISK_SIZE_BYTES - 33 * 512 + 256),
  ]
  const intact = diskWith(gptTable)
  const disk = Buffer.from(intact)
  let ran = 0
  for (const at of headerAndEntries) {
    disk.writeUInt8(disk.readUInt8(at) ^ 0x10, at)
    const { problems, ...table } = await read(disk)
    assert.deepEqual(table, gptTable)
    assert.deepEqual(problems, [at < MIB ? 'primary-damaged' : 'backup-damaged'], `byte ${at}`)
    disk.writeUInt8(intact.readUInt8(at), at)
    ran++
  }
  assert.equal(ran, 2 * (92 + 256))
})

test('refuses a GPT of which no copy is intact', async () => {
  const disk = diskWith(gptTable)
  disk.fill(0xff, 1024, 1100)
  disk.fill(0xff, DISK_SIZE_BYTES - 512, DISK_SIZE_BYTES)
  await assert.rejects(read(disk), { code: 'checksum-mismatch' })
  disk.fill(0, 512, 1024)
  await assert.rejects(read(disk), { code: 'checksum-mismatch' })
})

test('says that the disk has grown since the GPT was written', async () => {
  const disk = Buffer.concat([diskWith(gptTable), Buffer.alloc(MIB)])
  assert.deepEqual((await read(disk)).problems, ['backup-not-at-end'])
})

test('finds the backup of a disk that has grown when the primary entries are damaged', async () => {
  const disk = Buffer.concat([diskWith(gptTable), Buffer.alloc(MIB)])
  disk.writeUInt8(1, 1024 + 200)
  const { problems, ...table } = await read(disk)
  assert.deepEqual(table, { ...gptTable, diskSizeBytes: DISK_SIZE_BYTES + MIB })
  assert.deepEqual(problems, ['primary-damaged'])
})

test('says that both copies are intact but differ', async () => {
  const disk = diskWith(gptTable)
  const other = diskWith({ ...gptTable, diskId: randomGuid() })
  disk.set(other.subarray(DISK_SIZE_BYTES - 33 * 512), DISK_SIZE_BYTES - 33 * 512)
  const table = await read(disk)
  assert.deepEqual(table.problems, ['copies-differ'])
  assert.equal(table.diskId, gptTable.diskId)
})

test('reads a GPT whose protective MBR is missing or hybrid, and says so', async () => {
  const missing = diskWith(gptTable)
  missing.fill(0, 0, 512)
  assert.deepEqual((await read(missing)).problems, ['protective-mbr-missing'])
  const hybrid = diskWith(gptTable)
  hybrid.set(diskWith(mbrTable).subarray(446, 462), 462)
  assert.deepEqual((await read(hybrid)).problems, ['hybrid-mbr'])
})

test('finds the backup of a disk that ends within a sector', async () => {
  const disk = Buffer.concat([diskWith(gptTable), Buffer.alloc(100)])
  disk.fill(0, 512, 1024)
  assert.deepEqual(await read(disk), { ...gptTable, problems: ['primary-damaged'] })
})

test('prefers MBR partitions to the remains of an older GPT', async () => {
  const disk = diskWith(gptTable)
  disk.set(diskWith(mbrTable).subarray(0, 512))
  disk.set(diskWith(mbrTable).subarray(4 * MIB, 9 * MIB), 4 * MIB)
  assert.equal((await read(disk)).scheme, 'mbr')
})

test('finds no partition table on an empty disk or on a bare file system', async () => {
  const ntfs = Buffer.alloc(MIB)
  ntfs.write('NTFS    ', 3)
  ntfs.writeUInt16LE(0xaa55, 510)
  for (const disk of [Buffer.alloc(MIB), ntfs]) {
    await assert.rejects(read(disk), { code: 'no-partition-table' })
  }
})

test('finds the partitions of a disk whose first sector was that of a file system before', async () => {
  for (const table of [gptTable, mbrTable]) {
    const disk = diskWith(table)
    disk.write('NTFS    ', 3)
    assert.deepEqual(await read(disk), { ...table, problems: [] })
  }
})

test('takes the entry that mkfs.fat can make of a whole disk for the file system that it is', async () => {
  const disk = Buffer.alloc(MIB)
  disk.write('FAT16   ', 54)
  disk.writeUInt8(0x06, 446 + 4)
  disk.writeUInt32LE(MIB / 512, 446 + 12)
  disk.writeUInt16LE(0xaa55, 510)
  await assert.rejects(read(disk), { code: 'no-partition-table' })
})

test('refuses MBR partitions that overlap, leave the disk or form a ring', async () => {
  const damage: readonly ((disk: Buffer) => void)[] = [
    (disk) => disk.writeUInt32LE(4096, 446 + 12),
    (disk) => disk.writeUInt32LE(0xffff_ffff, 446 + 12),
    (disk) => disk.writeUInt32LE(0, 446 + 8),
    (disk) => disk.writeUInt8(0x17, 446),
    (disk) => disk.writeUInt32LE(0, 4 * MIB + 462 + 8),
    (disk) => disk.writeUInt32LE(0xffff_ffff, 4 * MIB + 462 + 8),
    (disk) => disk.writeUInt16LE(0, 4 * MIB + 510),
    (disk) => disk.writeUInt8(0x0f, 446 + 4),
  ]
  let ran = 0
  for (const apply of damage) {
    const disk = diskWith(mbrTable)
    apply(disk)
    await assert.rejects(read(disk), { code: 'corrupt' }, `damage ${ran}`)
    ran++
  }
  assert.equal(ran, damage.length)
})

test('refuses to write tables that could not be read again', () => {
  const tables: readonly PartitionTable[] = [
    { ...gptTable, partitions: [gptPartition(1, MIB, MIB), gptPartition(1, 3 * MIB, MIB)] },
    { ...gptTable, partitions: [gptPartition(129, MIB, MIB)] },
    { ...gptTable, partitions: [gptPartition(1, MIB, MIB), gptPartition(2, MIB + 512, MIB)] },
    { ...gptTable, partitions: [gptPartition(1, 33 * 512, MIB)] },
    { ...gptTable, partitions: [gptPartition(1, MIB, 15 * MIB - 32 * 512)] },
    { ...gptTable, partitions: [gptPartition(1, MIB + 1, MIB)] },
    { ...gptTable, diskSizeBytes: 67 * 512 },
    { ...mbrTable, partitions: [mbrPartition(2, MIB, MIB)] },
    { ...mbrTable, partitions: [mbrPartition(6, 5 * MIB, MIB)] },
    { ...mbrTable, partitions: [mbrPartition(5, 13 * MIB, MIB)] },
    { ...mbrTable, partitions: [mbrPartition(5, 4 * MIB, MIB)] },
    { ...mbrTable, partitions: [{ ...mbrPartition(1, MIB, MIB), type: 'EE' }] },
    { ...mbrTable, partitions: [{ ...mbrPartition(1, MIB, MIB), type: '05' }] },
    { ...mbrTable, partitions: [{ ...mbrPartition(1, MIB, MIB), type: 'ee' }] },
    { ...mbrTable, diskId: '1a2b3c4d' },
  ]
  let ran = 0
  for (const table of tables) {
    assert.throws(() => encodePartitionTable(table), { code: 'invalid-argument' }, `table ${ran}`)
    ran++
  }
  assert.equal(ran, tables.length)
})

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index)
}
