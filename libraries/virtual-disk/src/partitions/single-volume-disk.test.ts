import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bufferSource } from '../byte-source.ts'
import { MIB } from '../extent.ts'
import { diskBytes } from '../testing/disk-bytes.ts'
import { partitionTypes } from './partition-table.ts'
import { readPartitionTable } from './read.ts'
import { planSingleVolumeDisk, type SingleVolumeDiskRequest } from './single-volume-disk.ts'

const gpt = { scheme: 'gpt', partitionType: partitionTypes.gpt.basicData } as const
const mbr = { scheme: 'mbr', partitionType: partitionTypes.mbr.ntfs } as const

test('puts 1 MiB before a volume and, for a GPT, 1 MiB behind it', () => {
  const cases = [
    { scheme: gpt, volumeSizeBytes: 1, virtualSizeBytes: 3 * MIB, partitionSizeBytes: 512 },
    { scheme: gpt, volumeSizeBytes: 3 * MIB, virtualSizeBytes: 5 * MIB, partitionSizeBytes: 3 * MIB },
    {
      scheme: gpt,
      volumeSizeBytes: 3 * MIB + 512,
      virtualSizeBytes: 6 * MIB,
      partitionSizeBytes: 3 * MIB + 512,
    },
    {
      scheme: mbr,
      volumeSizeBytes: 3 * MIB + 512,
      virtualSizeBytes: 5 * MIB,
      partitionSizeBytes: 3 * MIB + 512,
    },
  ]
  let ran = 0
  for (const { scheme, volumeSizeBytes, virtualSizeBytes, partitionSizeBytes } of cases) {
    const disk = planSingleVolumeDisk({ ...scheme, volumeSizeBytes })
    assert.equal(disk.virtualSizeBytes, virtualSizeBytes)
    assert.equal(disk.partitionOffsetBytes, MIB)
    assert.equal(disk.partitionSizeBytes, partitionSizeBytes)
    ran++
  }
  assert.equal(ran, 4)
})

test('gives back what was asked for when the table is read again', async () => {
  const request: SingleVolumeDiskRequest = {
    ...gpt,
    volumeSizeBytes: 2 * MIB,
    name: 'Données ☃',
    attributes: (1n << 63n) | 1n,
    diskId: '01234567-89ab-cdef-0123-456789abcdef',
    partitionId: 'fedcba98-7654-3210-fedc-ba9876543210',
  }
  const disk = planSingleVolumeDisk(request)
  const { problems, ...table } = await readPartitionTable(
    bufferSource(diskBytes(disk.virtualSizeBytes, disk.regions)),
  )
  assert.deepEqual(problems, [])
  assert.deepEqual(table, disk.table)
  assert.equal(table.diskId, '01234567-89AB-CDEF-0123-456789ABCDEF')
  assert.equal(table.partitions[0]?.name, 'Données ☃')
  assert.equal(table.partitions[0]?.attributes, 0x8000_0000_0000_0001n)
})

test('never gives two disks the same id', () => {
  const ids = [gpt, mbr].map((scheme) => {
    const [one, two] = [1, 2].map(() => planSingleVolumeDisk({ ...scheme, volumeSizeBytes: MIB }).table)
    assert.notEqual(one?.diskId, two?.diskId)
    return one?.diskId ?? ''
  })
  assert.match(ids[0] ?? '', /^[0-9A-F-]{36}$/)
  assert.match(ids[1] ?? '', /^[0-9A-F]{8}$/)
})

test('refuses a volume that an MBR cannot describe, to the sector', () => {
  const largest = 2 ** 32 * 512 - MIB
  planSingleVolumeDisk({ ...mbr, volumeSizeBytes: largest })
  assert.throws(() => planSingleVolumeDisk({ ...mbr, volumeSizeBytes: largest + 1 }), {
    code: 'disk-too-large',
  })
})

test('refuses requests that a scheme cannot say', () => {
  const requests: SingleVolumeDiskRequest[] = [
    { ...gpt, volumeSizeBytes: 0 },
    { ...gpt, volumeSizeBytes: -1 },
    { ...gpt, volumeSizeBytes: 1.5 },
    { ...gpt, volumeSizeBytes: MIB, partitionType: '07' },
    { ...gpt, volumeSizeBytes: MIB, name: 'x'.repeat(37) },
    { ...gpt, volumeSizeBytes: MIB, diskId: 'zzz' },
    { ...gpt, volumeSizeBytes: MIB, active: true },
    { ...mbr, volumeSizeBytes: MIB, name: 'no names' },
    { ...mbr, volumeSizeBytes: MIB, attributes: 1n },
    { ...mbr, volumeSizeBytes: MIB, partitionId: partitionTypes.gpt.linux },
    { ...mbr, volumeSizeBytes: MIB, partitionType: '00' },
    { ...mbr, volumeSizeBytes: MIB, partitionType: partitionTypes.gpt.basicData },
    { ...mbr, volumeSizeBytes: MIB, diskId: '123' },
  ]
  let ran = 0
  for (const request of requests) {
    assert.throws(() => planSingleVolumeDisk(request), { code: 'invalid-argument' }, JSON.stringify(ran))
    ran++
  }
  assert.equal(ran, requests.length)
})
