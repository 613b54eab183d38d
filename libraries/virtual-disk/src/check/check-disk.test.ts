import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { type ByteSource, bufferSource, readBytes } from '../byte-source.ts'
import { composeSource } from '../compose-source.ts'
import { KIB, MIB } from '../extent.ts'
import { type FindingCode, findingCodes, type Severity } from '../finding.ts'
import { guidBytes, randomGuid } from '../guid.ts'
import { planDisk } from '../plan/plan-disk.ts'
import { structuresOf } from '../plan/structures.ts'
import { differencingFamilies } from '../testing/differencing-families.ts'
import { logRing, markDirty } from '../testing/dirty-vhdx.ts'
import { plannedFile } from '../testing/planned-file.ts'
import { encodeLogEntry, putLogEntry } from '../testing/vhdx-log.ts'
import { vhdChecksum } from '../vhd/footer.ts'
import { sealChecksum } from '../vhdx/header.ts'
import { itemIds } from '../vhdx/metadata.ts'
import { checkDisk } from './check-disk.ts'

const SIZE_BYTES = 7 * MIB + 512
const content = Buffer.alloc(SIZE_BYTES)
content.set(randomBytes(2 * MIB))
content.set(randomBytes(MIB + 512), 6 * MIB)

const VHDX_BAT = 3 * MIB
const VHDX_ITEMS = 2 * MIB + 64 * KIB
const VHD_BAT = 1536
const VHD_FIRST_BITMAP = 4096 - 512

function intact(format: 'vhd' | 'vhdx', allocation: 'dynamic' | 'fixed' = 'dynamic'): Buffer {
  return plannedFile({ format, allocation, virtualSizeBytes: SIZE_BYTES }, content).file
}

/** Damage to a file, and what must be said of it: these findings and no others. */
interface Case {
  readonly title: string
  readonly file: () => Buffer
  readonly found: readonly (readonly [FindingCode, Severity])[]
  /** What is offered as the parent, if the check is to look at it. */
  readonly parent?: () => Buffer | undefined
}

function damaged(file: Buffer, damage: (file: Buffer) => void): Buffer {
  damage(file)
  return file
}

/** Changes the footer of a VHD, and its copy if there is one, so that both stay intact. */
function changeFooter(file: Buffer, change: (footer: Buffer) => void): void {
  const end = file.subarray(-512)
  change(end)
  end.writeUInt32BE(vhdChecksum(end, 64), 64)
  if (file.toString('latin1', 0, 8) === 'conectix') file.set(end, 0)
}

function changeDynamicHeader(file: Buffer, change: (header: Buffer) => void): void {
  const header = file.subarray(512, 1536)
  change(header)
  header.writeUInt32BE(vhdChecksum(header, 36), 36)
}

function changeHeader(file: Buffer, offset: number, change: (header: Buffer) => void): void {
  const header = file.subarray(offset, offset + 4096)
  change(header)
  header.writeUInt32LE(0, 4)
  sealChecksum(header, 4)
}

function changeRegionTables(file: Buffer, change: (table: Buffer) => void): void {
  for (const offset of [192 * KIB, 256 * KIB]) {
    const table = file.subarray(offset, offset + 64 * KIB)
    change(table)
    table.writeUInt32LE(0, 4)
    sealChecksum(table, 4)
  }
}

function setEntry(file: Buffer, index: number, value: number): void {
  file.writeBigUInt64LE(BigInt(value), VHDX_BAT + index * 8)
}

/** A VHDX that was not closed, with an entry in its log or without. */
function dirty(withEntry: boolean): Buffer {
  const file = intact('vhdx')
  const logId = randomGuid()
  const entry = encodeLogEntry({ logId, sequence: 1n, tail: 0, updates: [] })
  if (withEntry) putLogEntry(logRing(file), 0, entry)
  markDirty(file, logId)
  return file
}

const vhdxCases: readonly Case[] = [
  {
    title: 'a header with a wrong checksum',
    file: () => damaged(intact('vhdx'), (file) => file.writeUInt8(1, 64 * KIB + 100)),
    found: [['header-damaged', 'warning']],
  },
  {
    title: 'two headers with wrong checksums',
    file: () => damaged(intact('vhdx'), (file) => file.fill(1, 64 * KIB, 192 * KIB)),
    found: [
      ['header-damaged', 'error'],
      ['header-damaged', 'error'],
    ],
  },
  {
    title: 'two headers of one number',
    file: () =>
      damaged(intact('vhdx'), (file) => {
        changeHeader(file, 64 * KIB, (header) => {
          header.writeBigUInt64LE(2n, 8)
          header.writeUInt8(header.readUInt8(20) ^ 1, 20)
        })
      }),
    found: [['headers-ambiguous', 'error']],
  },
  {
    title: 'a header that uses reserved bytes',
    file: () =>
      damaged(intact('vhdx'), (file) => {
        changeHeader(file, 64 * KIB, (header) => header.writeUInt8(1, 4000))
      }),
    found: [['reserved-not-zero', 'warning']],
  },
  {
    title: 'a log over the metadata',
    file: () =>
      damaged(intact('vhdx'), (file) => {
        changeHeader(file, 128 * KIB, (header) => header.writeUInt32LE(2 * MIB, 68))
      }),
    found: [['structure-misplaced', 'error']],
  },
  {
    title: 'a log off the grid',
    file: () =>
      damaged(intact('vhdx'), (file) => {
        changeHeader(file, 64 * KIB, (header) => header.writeBigUInt64LE(BigInt(MIB + 4096), 72))
      }),
    found: [['structure-misplaced', 'error']],
  },
  { title: 'a file that was not closed', file: () => dirty(true), found: [['log-not-empty', 'warning']] },
  {
    title: 'a file that was not closed, without a log',
    file: () => dirty(false),
    found: [['log-corrupt', 'error']],
  },
  {
    title: 'a region table with a wrong checksum',
    file: () => damaged(intact('vhdx'), (file) => file.writeUInt8(1, 192 * KIB + 1000)),
    found: [['region-table-damaged', 'warning']],
  },
  {
    title: 'region tables that differ',
    file: () =>
      damaged(intact('vhdx'), (file) => {
        const first = Buffer.from(file.subarray(192 * KIB, 256 * KIB))
        changeRegionTables(file, (table) => table.writeUInt8(1, 1000))
        file.set(first, 192 * KIB)
      }),
    found: [['region-tables-differ', 'error']],
  },
  {
    title: 'metadata behind the end of the file',
    file: () =>
      damaged(intact('vhdx'), (file) => {
        changeRegionTables(file, (table) => table.writeBigUInt64LE(BigInt(999 * MIB), 16 + 32 + 16))
      }),
    found: [
      ['structure-misplaced', 'error'],
      ['metadata-damaged', 'error'],
    ],
  },
  {
    title: 'a block over a region that is not known',
    file: () =>
      damaged(intact('vhdx'), (file) => {
        const id = guidBytes(randomGuid(), 'mixed')
        changeRegionTables(file, (table) => {
          table.writeUInt32LE(3, 8)
          table.set(id, 16 + 64)
          table.writeBigUInt64LE(BigInt(5 * MIB), 16 + 64 + 16)
          table.writeUInt32LE(MIB, 16 + 64 + 24)
        })
      }),
    found: [['block-overlaps', 'error']],
  },
  {
    title: 'a missing metadata item',
    file: () =>
      damaged(intact('vhdx'), (file) => {
        file.set(guidBytes(randomGuid(), 'mixed'), 2 * MIB + 32 + 4 * 32)
        file.writeUInt32LE(0, 2 * MIB + 32 + 4 * 32 + 24)
      }),
    found: [['metadata-missing', 'error']],
  },
  {
    title: 'metadata items over each other',
    file: () =>
      damaged(intact('vhdx'), (file) => file.writeUInt32LE(64 * KIB + 28, 2 * MIB + 32 + 4 * 32 + 16)),
    found: [
      ['metadata-overlaps', 'error'],
      ['metadata-damaged', 'error'],
    ],
  },
  {
    title: 'a block size that does not exist',
    file: () => damaged(intact('vhdx'), (file) => file.writeUInt32LE(3 * MIB, VHDX_ITEMS)),
    found: [['metadata-damaged', 'error']],
  },
  {
    title: 'more blocks than the table has entries',
    file: () => damaged(intact('vhdx'), (file) => file.writeBigUInt64LE(2n ** 40n, VHDX_ITEMS + 8)),
    found: [['bat-too-short', 'error']],
  },
  {
    title: 'a reserved bit in the block table',
    file: () => damaged(intact('vhdx'), (file) => setEntry(file, 0, 4 * MIB + 6 + 8)),
    found: [['reserved-not-zero', 'error']],
  },
  {
    title: 'a state that does not exist',
    file: () => damaged(intact('vhdx'), (file) => setEntry(file, 1, 5)),
    found: [['block-state-invalid', 'error']],
  },
  {
    title: 'a partially present block without a parent',
    file: () => damaged(intact('vhdx'), (file) => setEntry(file, 0, 4 * MIB + 7)),
    found: [['block-state-invalid', 'error']],
  },
  {
    title: 'an absent block that names a place',
    file: () => damaged(intact('vhdx'), (file) => setEntry(file, 1, 4 * MIB + 2)),
    found: [['block-place-unexpected', 'warning']],
  },
  {
    title: 'two blocks in one place',
    file: () => damaged(intact('vhdx'), (file) => setEntry(file, 3, 4 * MIB + 6)),
    found: [['block-shared', 'error']],
  },
  {
    title: 'two blocks that share half of their place',
    file: () => damaged(intact('vhdx'), (file) => setEntry(file, 3, 5 * MIB + 6)),
    found: [['block-shared', 'error']],
  },
  ...[0, 1, 2, 3].map((mebibyte) => ({
    title: `a block over what is at ${mebibyte} MiB`,
    file: () => damaged(intact('vhdx'), (file: Buffer) => setEntry(file, 0, mebibyte * MIB + 6)),
    found: [['block-overlaps', 'error']] as const,
  })),
  {
    title: 'a block behind the end of the file',
    file: () => damaged(intact('vhdx'), (file) => setEntry(file, 0, 7 * MIB + 6)),
    found: [['block-outside-file', 'error']],
  },
  {
    title: 'a file whose last byte is missing',
    file: () => intact('vhdx').subarray(0, -1),
    found: [['block-outside-file', 'error']],
  },
  {
    title: 'a fixed disk with an absent block',
    file: () => damaged(intact('vhdx', 'fixed'), (file) => setEntry(file, 0, 2)),
    found: [['not-fully-allocated', 'warning']],
  },
  {
    title: 'a partially present block without its bitmap',
    file: () =>
      damaged(Buffer.from(differencingFamilies(8 * MIB)[1]?.child ?? []), (file) => setEntry(file, 2048, 0)),
    found: [['bitmap-missing', 'error']],
  },
  {
    title: 'a differencing disk whose parent locator is gone',
    file: () =>
      damaged(Buffer.from(differencingFamilies(8 * MIB)[1]?.child ?? []), (file) => {
        const at = file.indexOf(guidBytes(itemIds.parentLocator, 'mixed'))
        file.writeUInt32LE(19, at + 20)
      }),
    found: [['metadata-damaged', 'error']],
  },
]

const vhdCases: readonly Case[] = [
  {
    title: 'a footer with a wrong checksum',
    file: () => damaged(intact('vhd'), (file) => file.writeUInt8(1, file.byteLength - 1)),
    found: [['footer-damaged', 'warning']],
  },
  {
    title: 'a copy of the footer with a wrong checksum',
    file: () => damaged(intact('vhd'), (file) => file.writeUInt8(1, 500)),
    found: [['footer-damaged', 'warning']],
  },
  {
    title: 'a fixed disk with a damaged footer',
    file: () => damaged(intact('vhd', 'fixed'), (file) => file.writeUInt8(1, file.byteLength - 1)),
    found: [['footer-damaged', 'error']],
  },
  {
    title: 'a footer that differs from its copy',
    file: () =>
      damaged(intact('vhd'), (file) => {
        const copy = Buffer.from(file.subarray(0, 512))
        changeFooter(file, (footer) => footer.writeUInt8(1, 70))
        file.set(copy)
      }),
    found: [['footers-differ', 'error']],
  },
  {
    title: 'a saved state and reserved bytes',
    file: () =>
      damaged(intact('vhd'), (file) => {
        changeFooter(file, (footer) => footer.writeUInt16BE(0x0101, 84))
      }),
    found: [
      ['reserved-not-zero', 'warning'],
      ['saved-state', 'warning'],
    ],
  },
  {
    title: 'a size that is no whole number of sectors',
    file: () =>
      damaged(intact('vhd'), (file) => {
        changeFooter(file, (footer) => footer.writeBigUInt64BE(BigInt(SIZE_BYTES - 1), 48))
      }),
    found: [['size-invalid', 'error']],
  },
  {
    title: 'another geometry',
    file: () =>
      damaged(intact('vhd'), (file) => {
        changeFooter(file, (footer) => footer.writeUInt8(7, 58))
      }),
    found: [['geometry-mismatch', 'warning']],
  },
  {
    title: 'a creator whose disks are as large as their geometry',
    file: () =>
      damaged(intact('vhd'), (file) => {
        changeFooter(file, (footer) => footer.write('vpc ', 28))
      }),
    found: [['size-ambiguous', 'warning']],
  },
  {
    title: 'a fixed disk with more in its file than on the disk',
    file: () =>
      damaged(intact('vhd', 'fixed'), (file) => {
        changeFooter(file, (footer) => footer.writeBigUInt64BE(BigInt(7 * MIB), 48))
      }),
    found: [['file-length-wrong', 'warning']],
  },
  {
    title: 'a fixed disk with less in its file than on the disk',
    file: () =>
      damaged(intact('vhd', 'fixed'), (file) => {
        changeFooter(file, (footer) => footer.writeBigUInt64BE(BigInt(SIZE_BYTES + 512), 48))
      }),
    found: [['file-length-wrong', 'error']],
  },
  {
    title: 'a dynamic header with a wrong checksum',
    file: () => damaged(intact('vhd'), (file) => file.writeUInt8(1, 1000)),
    found: [['dynamic-header-damaged', 'error']],
  },
  {
    title: 'a dynamic header that uses reserved bytes',
    file: () =>
      damaged(intact('vhd'), (file) => {
        changeDynamicHeader(file, (header) => header.writeUInt8(1, 1000))
      }),
    found: [['reserved-not-zero', 'warning']],
  },
  {
    title: 'a table that is too short',
    file: () =>
      damaged(intact('vhd'), (file) => {
        changeDynamicHeader(file, (header) => header.writeUInt32BE(3, 28))
      }),
    found: [['bat-too-short', 'error']],
  },
  {
    title: 'a table that is too long',
    file: () =>
      damaged(intact('vhd'), (file) => {
        changeDynamicHeader(file, (header) => header.writeUInt32BE(5, 28))
      }),
    found: [['bat-too-long', 'warning']],
  },
  {
    title: 'a table behind the end of the file',
    file: () =>
      damaged(intact('vhd'), (file) => {
        changeDynamicHeader(file, (header) => header.writeBigUInt64BE(2n ** 40n, 16))
      }),
    found: [['structure-misplaced', 'error']],
  },
  {
    title: 'two blocks in one place',
    file: () => damaged(intact('vhd'), (file) => file.writeUInt32BE(VHD_FIRST_BITMAP / 512, VHD_BAT + 12)),
    found: [['block-shared', 'error']],
  },
  {
    title: 'a block over the table',
    file: () => damaged(intact('vhd'), (file) => file.writeUInt32BE(3, VHD_BAT)),
    found: [['block-overlaps', 'error']],
  },
  {
    title: 'a block over the footer',
    file: () =>
      damaged(intact('vhd'), (file) => {
        file.writeUInt32BE(file.readUInt32BE(VHD_BAT + 12) + 1, VHD_BAT + 12)
      }),
    found: [['block-overlaps', 'error']],
  },
  {
    title: 'a block behind the end of the file',
    file: () => damaged(intact('vhd'), (file) => file.writeUInt32BE(2 ** 30, VHD_BAT)),
    found: [['block-outside-file', 'error']],
  },
  {
    title: 'a file whose end is missing',
    file: () => intact('vhd').subarray(0, -4096),
    found: [
      ['footer-damaged', 'warning'],
      ['block-outside-file', 'error'],
    ],
  },
  {
    title: 'a bitmap with a clear bit over data',
    file: () => damaged(intact('vhd'), (file) => file.writeUInt8(0x7f, VHD_FIRST_BITMAP + 3)),
    found: [['bitmap-hides-data', 'error']],
  },
  {
    title: 'no disk at all',
    file: () => Buffer.alloc(MIB),
    found: [['unrecognised-format', 'error']],
  },
]

const families = differencingFamilies(8 * MIB)
const [vhdFamily] = families

const parentCases: readonly Case[] = [
  {
    title: 'a differencing disk whose parent was not found',
    file: () => Buffer.from(vhdFamily?.child ?? []),
    parent: () => undefined,
    found: [['parent-missing', 'error']],
  },
  {
    title: 'a differencing disk with the parent of another',
    file: () => Buffer.from(vhdFamily?.child ?? []),
    parent: () => intact('vhd'),
    found: [['parent-mismatch', 'error']],
  },
  {
    title: 'a differencing disk with a parent beyond opening',
    file: () => Buffer.from(vhdFamily?.child ?? []),
    parent: () => damaged(Buffer.from(vhdFamily?.parent ?? []), (file) => file.writeUInt8(1, 1000)),
    found: [['parent-damaged', 'error']],
  },
]

for (const { title, file, found, parent } of [...vhdxCases, ...vhdCases, ...parentCases]) {
  const codes = found.map(([code]) => code).join(' and ')
  test(`reports ${title} as ${codes}`, async () => {
    const offered = parent?.()
    const resolveParent = async (): Promise<ByteSource | undefined> => offered && bufferSource(offered)
    const findings = await checkDisk(bufferSource(file()), parent === undefined ? {} : { resolveParent })
    assert.deepEqual(
      findings.map(({ code, severity }) => [code, severity]),
      found,
      JSON.stringify(findings),
    )
  })
}

test('every code has a case above', () => {
  const codes = new Set(
    [...vhdxCases, ...vhdCases, ...parentCases].flatMap(({ found }) => found.map(([code]) => code)),
  )
  assert.deepEqual(
    findingCodes.disk.filter((code) => !codes.has(code)),
    [],
  )
})

test('finds nothing wrong with any disk that was just written', async () => {
  let ran = 0
  for (const format of ['vhd', 'vhdx'] as const) {
    for (const allocation of ['dynamic', 'fixed'] as const) {
      for (const virtualSizeBytes of [512, 2 * MIB, SIZE_BYTES, 9 * 1024 * MIB, 200 * 1024 * MIB]) {
        const data = [
          { offsetBytes: 0, sizeBytes: 512 },
          { offsetBytes: virtualSizeBytes - 512, sizeBytes: 512 },
        ]
        const plan = planDisk({ format, allocation, virtualSizeBytes, data })
        const file = composeSource(plan.fileSizeBytes, structuresOf(plan))
        assert.deepEqual(await checkDisk(file), [], `${allocation} ${format} of ${virtualSizeBytes}`)
        ran++
      }
    }
  }
  assert.equal(ran, 20)
})

test('finds nothing wrong with differencing disks, and does not need their parents', async () => {
  let ran = 0
  for (const { child, parent } of families) {
    assert.deepEqual(await checkDisk(bufferSource(child)), [])
    const resolveParent = async (): Promise<ByteSource> => bufferSource(parent)
    assert.deepEqual(await checkDisk(bufferSource(child), { resolveParent }), [])
    ran++
  }
  assert.equal(ran, 2)
})

test('names the sector bitmap that a disk without a parent should not have', async () => {
  const virtualSizeBytes = 9 * 1024 * MIB
  const plan = planDisk({ format: 'vhdx', allocation: 'dynamic', virtualSizeBytes, data: [] })
  const structures = [...structuresOf(plan)]
  structures.find(({ offsetBytes }) => offsetBytes === VHDX_BAT)?.bytes.set([6, 0, 0x40], 2048 * 8)
  const [finding] = await checkDisk(composeSource(plan.fileSizeBytes + 9 * MIB, structures))
  assert.equal(finding?.code, 'block-state-invalid')
  assert.match(finding?.message ?? '', /the sector bitmap of chunk 0/)
  assert.equal(finding?.offsetBytes, VHDX_BAT + 2048 * 8)
})

test('finds something wrong with every file that was cut off', async () => {
  let ran = 0
  for (const format of ['vhd', 'vhdx'] as const) {
    const file = intact(format)
    for (let sizeBytes = 0; sizeBytes < file.byteLength; sizeBytes += 123_457) {
      assert.ok(
        (await checkDisk(bufferSource(file.subarray(0, sizeBytes)))).length > 0,
        `${format} of ${sizeBytes}`,
      )
      ran++
    }
  }
  assert.ok(ran > 60)
})

test('keeps the first findings of a kind and counts the others', async () => {
  const plan = planDisk({ format: 'vhd', allocation: 'dynamic', virtualSizeBytes: 1024 * MIB, data: [] })
  const structures = [...structuresOf(plan)]
  structures.find(({ offsetBytes }) => offsetBytes === VHD_BAT)?.bytes.fill(1, 0, 512 * 4)
  const findings = await checkDisk(composeSource(plan.fileSizeBytes, structures))
  assert.equal(findings.length, 20)
  assert.match(findings.at(-1)?.message ?? '', /and 492 more like this$/)
})

test('passes on the failure of a source that cannot be read', async () => {
  const broken: ByteSource = {
    sizeBytes: MIB,
    read: async () => {
      throw new Error('the share went away')
    },
  }
  await assert.rejects(checkDisk(broken), /the share went away/)
  await assert.rejects(readBytes(broken, 0, 1), /the share went away/)
})
