import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ByteSource, bufferSource } from '../byte-source.ts'
import { MIB } from '../extent.ts'
import { type FindingCode, findingCodes, type Severity } from '../finding.ts'
import { randomGuid } from '../guid.ts'
import { DISK_SIZE_BYTES, diskWith, gptTable, mbrTable } from '../testing/partition-tables.ts'
import { sealGpt } from '../testing/seal-gpt.ts'
import { checkPartitionTable } from './check.ts'

/** Damage to a disk, and what must be said of it: these findings and no others. */
interface Case {
  readonly title: string
  readonly disk: () => Buffer
  readonly found: readonly (readonly [FindingCode, Severity])[]
}

const BACKUP_HEADER = DISK_SIZE_BYTES - 512
const BACKUP_ENTRIES = BACKUP_HEADER - 32 * 512
const gptCopies = [
  { header: 512, entries: 1024 },
  { header: BACKUP_HEADER, entries: BACKUP_ENTRIES },
]

function damaged(disk: Buffer, damage: (disk: Buffer) => void): Buffer {
  damage(disk)
  return disk
}

/** Changes both copies of a GPT in the same way, checksums included. */
function changedGpt(change: (header: Buffer, entries: Buffer) => void): Buffer {
  return damaged(diskWith(gptTable), (disk) => {
    for (const { header, entries } of gptCopies) {
      const parts = [disk.subarray(header, header + 512), disk.subarray(entries, entries + 32 * 512)] as const
      change(...parts)
      sealGpt(...parts)
    }
  })
}

function changedMbr(change: (disk: Buffer) => void): Buffer {
  return damaged(diskWith(mbrTable), change)
}

const gptCases: readonly Case[] = [
  {
    title: 'a damaged primary header',
    disk: () => damaged(diskWith(gptTable), (disk) => disk.writeUInt8(1, 512 + 60)),
    found: [['gpt-header-damaged', 'warning']],
  },
  {
    title: 'a damaged backup header',
    disk: () => damaged(diskWith(gptTable), (disk) => disk.fill(0, BACKUP_HEADER)),
    found: [['gpt-header-damaged', 'warning']],
  },
  {
    title: 'two damaged headers',
    disk: () =>
      damaged(diskWith(gptTable), (disk) => {
        disk.writeUInt8(1, 512 + 60)
        disk.writeUInt8(1, BACKUP_HEADER + 60)
      }),
    found: [
      ['gpt-header-damaged', 'error'],
      ['gpt-header-damaged', 'error'],
    ],
  },
  {
    title: 'no header at all behind a protective MBR',
    disk: () => damaged(diskWith(gptTable), (disk) => disk.fill(0, 512)),
    found: [['gpt-header-damaged', 'error']],
  },
  {
    title: 'damaged entries',
    disk: () => damaged(diskWith(gptTable), (disk) => disk.writeUInt8(1, 1024 + 60)),
    found: [['gpt-entries-damaged', 'warning']],
  },
  {
    title: 'damaged entries of one copy and a damaged header of the other',
    disk: () =>
      damaged(diskWith(gptTable), (disk) => {
        disk.writeUInt8(1, 1024 + 60)
        disk.writeUInt8(1, BACKUP_HEADER + 60)
      }),
    found: [
      ['gpt-entries-damaged', 'error'],
      ['gpt-header-damaged', 'error'],
    ],
  },
  {
    title: 'copies of which each is intact',
    disk: () =>
      damaged(diskWith(gptTable), (disk) => {
        disk.set(diskWith({ ...gptTable, diskId: randomGuid() }).subarray(BACKUP_ENTRIES), BACKUP_ENTRIES)
      }),
    found: [['gpt-copies-differ', 'error']],
  },
  {
    title: 'a disk that has grown',
    disk: () => Buffer.concat([diskWith(gptTable), Buffer.alloc(MIB)]),
    found: [
      ['protective-mbr-wrong', 'warning'],
      ['gpt-backup-not-at-end', 'warning'],
    ],
  },
  {
    title: 'a disk whose end is missing',
    disk: () => diskWith(gptTable).subarray(0, -MIB),
    found: [
      ['protective-mbr-wrong', 'warning'],
      ['gpt-header-damaged', 'warning'],
      ['gpt-header-damaged', 'error'],
    ],
  },
  {
    title: 'a GPT without a protective MBR',
    disk: () => damaged(diskWith(gptTable), (disk) => disk.fill(0, 0, 512)),
    found: [['protective-mbr-missing', 'warning']],
  },
  {
    title: 'an MBR beside the remains of a GPT',
    disk: () => damaged(diskWith(gptTable), (disk) => disk.writeUInt8(0x07, 446 + 4)),
    found: [['protective-mbr-missing', 'warning']],
  },
  {
    title: 'a hybrid MBR',
    disk: () => damaged(diskWith(gptTable), (disk) => disk.set(diskWith(mbrTable).subarray(446, 462), 462)),
    found: [['hybrid-mbr', 'warning']],
  },
  {
    title: 'a header with bytes behind its last field',
    disk: () => damaged(diskWith(gptTable), (disk) => disk.writeUInt8(1, 512 + 500)),
    found: [['reserved-not-zero', 'warning']],
  },
  {
    title: 'usable sectors that begin among the entries',
    disk: () => changedGpt((header) => header.writeBigUInt64LE(20n, 40)),
    found: [['structure-misplaced', 'error']],
  },
  {
    title: 'usable sectors beyond the disk',
    disk: () => changedGpt((header) => header.writeBigUInt64LE(2n ** 40n, 48)),
    found: [
      ['gpt-header-damaged', 'error'],
      ['gpt-header-damaged', 'error'],
    ],
  },
  {
    title: 'a partition that ends before it begins',
    disk: () => changedGpt((_, entries) => entries.writeBigUInt64LE(1n, 40)),
    found: [['partition-invalid', 'error']],
  },
  {
    title: 'a partition over the backup',
    disk: () => changedGpt((_, entries) => entries.writeBigUInt64LE(32_767n, 127 * 128 + 40)),
    found: [['partition-outside', 'error']],
  },
  {
    title: 'two partitions that overlap, with a third between their beginnings',
    disk: () => changedGpt((_, entries) => entries.writeBigUInt64LE(20_000n, 40)),
    found: [
      ['partition-overlaps', 'error'],
      ['partition-overlaps', 'error'],
    ],
  },
  {
    title: 'two partitions of one id',
    disk: () => changedGpt((_, entries) => entries.copyWithin(128 + 16, 16, 32)),
    found: [['partition-id-invalid', 'warning']],
  },
  {
    title: 'a partition without an id',
    disk: () => changedGpt((_, entries) => entries.fill(0, 16, 32)),
    found: [['partition-id-invalid', 'warning']],
  },
]

const mbrCases: readonly Case[] = [
  {
    title: 'partitions that overlap',
    disk: () => changedMbr((disk) => disk.writeUInt32LE(3000, 446 + 12)),
    found: [['partition-overlaps', 'error']],
  },
  {
    title: 'a partition beyond the disk',
    disk: () => changedMbr((disk) => disk.writeUInt32LE(100_000, 446 + 32 + 8)),
    found: [['partition-outside', 'error']],
  },
  {
    title: 'a partition over the MBR',
    disk: () => changedMbr((disk) => disk.writeUInt32LE(0, 446 + 8)),
    found: [['partition-outside', 'error']],
  },
  {
    title: 'two active partitions',
    disk: () => changedMbr((disk) => disk.writeUInt8(0x80, 446 + 32)),
    found: [['boot-record-invalid', 'warning']],
  },
  {
    title: 'two extended partitions',
    disk: () =>
      changedMbr((disk) => {
        disk.writeUInt8(0x05, 446 + 4)
        disk.set(diskWith({ ...mbrTable, partitions: [] }).subarray(4 * MIB, 4 * MIB + 512), MIB)
      }),
    found: [['boot-record-invalid', 'error']],
  },
  {
    title: 'a status that does not exist',
    disk: () => changedMbr((disk) => disk.writeUInt8(0x17, 446)),
    found: [['boot-record-invalid', 'error']],
  },
  {
    title: 'a chain of logical drives that breaks off',
    disk: () => changedMbr((disk) => disk.fill(0, 7 * MIB - 512, 7 * MIB)),
    found: [['boot-record-invalid', 'error']],
  },
  {
    title: 'a chain of logical drives that leads back to its beginning',
    disk: () => changedMbr((disk) => disk.writeUInt32LE(0, 4 * MIB + 462 + 8)),
    found: [['boot-record-invalid', 'error']],
  },
  {
    title: 'a logical drive outside the extended partition',
    disk: () => changedMbr((disk) => disk.writeUInt32LE(8 * 2048, 8 * MIB + 446 + 12)),
    found: [['partition-outside', 'error']],
  },
  {
    title: 'a logical drive over the record of the next',
    disk: () => changedMbr((disk) => disk.writeUInt32LE(2 * 2048, 4 * MIB + 446 + 12)),
    found: [['partition-overlaps', 'error']],
  },
  { title: 'an empty disk', disk: () => Buffer.alloc(MIB), found: [['no-partition-table', 'error']] },
  { title: 'less than a sector', disk: () => Buffer.alloc(100), found: [['no-partition-table', 'error']] },
]

for (const { title, disk, found } of [...gptCases, ...mbrCases]) {
  const codes = found.map(([code]) => code).join(' and ')
  test(`reports ${title} as ${codes}`, async () => {
    const findings = await checkPartitionTable(bufferSource(disk()))
    const codes = findings.map(({ code, severity }) => [code, severity])
    assert.deepEqual(codes, found, JSON.stringify(findings))
  })
}

test('every code has a case above', () => {
  const codes = new Set(
    [...gptCases, ...mbrCases].flatMap(({ found: titles }) => titles.map(([code]) => code)),
  )
  assert.deepEqual(
    findingCodes.partitionTable.filter((code) => !codes.has(code)),
    [],
  )
})

test('finds nothing wrong with any table that was just written', async () => {
  const [first, second] = gptTable.partitions
  assert.ok(first && second)
  const large = { ...gptTable, sectorSizeBytes: 4096 as const, partitions: [first, second] }
  for (const table of [gptTable, large, mbrTable, { ...gptTable, partitions: [] }]) {
    assert.deepEqual(await checkPartitionTable(bufferSource(diskWith(table))), [])
  }
})

test('says at which byte of the disk the trouble is', async () => {
  const overlapping = changedGpt((_, entries) => entries.writeBigUInt64LE(9000n, 40))
  const [finding] = await checkPartitionTable(bufferSource(overlapping))
  assert.equal(finding?.offsetBytes, 1024 + 128)
  assert.equal(finding?.message, 'partition 1 overlaps partition 2')
})

test('passes on the failure of a disk that cannot be read', async () => {
  const broken: ByteSource = { sizeBytes: MIB, read: () => Promise.reject(new Error('the share went away')) }
  await assert.rejects(checkPartitionTable(broken), /the share went away/)
})
