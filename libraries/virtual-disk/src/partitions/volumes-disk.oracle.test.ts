import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { openFile } from '../byte-source.ts'
import { MIB } from '../extent.ts'
import { DiskFailure } from '../failure.ts'
import { writeSparse } from '../testing/disk-bytes.ts'
import { askOracle, hasOracle } from '../testing/oracle.ts'
import { temporaryDirectory } from '../testing/temporary-directory.ts'
import { partitionTypes } from './partition-table.ts'
import { readPartitionTable } from './read.ts'
import { planVolumesDisk } from './volumes-disk.ts'

const { gpt, mbr } = partitionTypes

test('volumes keep slots, places and ids on a GPT', async (t) => {
  if (!hasOracle(t, 'sgdisk')) return
  const path = join(await temporaryDirectory(t), 'disk.raw')
  const disk = planVolumesDisk({
    scheme: 'gpt',
    diskId: '9bd72a1c-4b5b-4e2c-9f33-0d6a1f0e77aa',
    diskSizeBytes: 64 * MIB,
    volumes: [
      {
        sizeBytes: 8 * MIB,
        type: gpt.basicData,
        original: { number: 5, offsetBytes: 40 * MIB },
        uniqueId: '11111111-2222-4333-8444-555555555555',
        name: 'Data',
        attributes: 1n << 63n,
      },
      { sizeBytes: 4 * MIB + 512, type: gpt.efiSystem, original: { number: 2, offsetBytes: 3 * MIB } },
    ],
  })
  assert.equal(disk.virtualSizeBytes, 64 * MIB)
  assert.deepEqual(disk.offsetsBytes, [40 * MIB, 3 * MIB])
  await writeSparse(path, disk.virtualSizeBytes, disk.regions)
  assert.match(askOracle('sgdisk', '-v', path).text, /No problems found/)
  const details = askOracle('sgdisk', '-i', '5', path).text
  assert.match(details, /unique GUID: 11111111-2222-4333-8444-555555555555/)
  assert.match(details, /First sector: 81920 /)
  assert.match(askOracle('sgdisk', '-p', path).text, /9BD72A1C-4B5B-4E2C-9F33-0D6A1F0E77AA/)
})

test('volumes whose places overlap get new ones', () => {
  const original = { number: 1, offsetBytes: MIB }
  const volume = { sizeBytes: 2 * MIB, type: mbr.linux, original }
  const { offsetsBytes, virtualSizeBytes } = planVolumesDisk({ scheme: 'mbr', volumes: [volume, volume] })
  assert.deepEqual([offsetsBytes, virtualSizeBytes], [[MIB, 3 * MIB], 5 * MIB])
})

test('more than four volumes on an MBR become logical drives', async (t) => {
  if (!hasOracle(t, 'sfdisk')) return
  const path = join(await temporaryDirectory(t), 'disk.raw')
  const volumes = [1, 2, 3, 4, 5, 6].map((mebibytes) => ({
    sizeBytes: mebibytes * MIB - 512,
    type: mbr.linux,
    active: mebibytes === 1,
  }))
  const disk = planVolumesDisk({ scheme: 'mbr', volumes, diskId: 'cafe1234' })
  await writeSparse(path, disk.virtualSizeBytes, disk.regions)
  const source = await openFile(path)
  t.after(() => source.close())
  const { problems, ...table } = await readPartitionTable(source)
  assert.deepEqual([problems, table], [[], disk.table])
  assert.deepEqual(
    table.partitions.map(({ number, offsetBytes }) => [number, offsetBytes]),
    [1, 2, 3, 5, 6, 7].map((number, index) => [number, disk.offsetsBytes[index]]),
  )
  const dump = askOracle('sfdisk', '-d', path).text
  assert.match(dump, /label-id: 0xcafe1234/)
  assert.match(dump, /raw1 : start= +2048, size= +2047, type=83, bootable/)
  assert.match(dump, /raw7 : start= +\d+, size= +12287, type=83/)
  assert.match(askOracle('sfdisk', '--verify', path).text, /No errors detected|Remaining/)
})

test('what no disk can hold is refused', () => {
  const cases = [
    () => planVolumesDisk({ scheme: 'gpt', volumes: [] }),
    () => planVolumesDisk({ scheme: 'gpt', volumes: [{ sizeBytes: 0, type: gpt.linux }] }),
    () => planVolumesDisk({ scheme: 'gpt', volumes: [{ sizeBytes: MIB, type: '83' }] }),
    () => planVolumesDisk({ scheme: 'mbr', volumes: [{ sizeBytes: 3 * 1024 ** 4, type: '83' }] }),
  ]
  let ran = 0
  for (const plan of cases) {
    assert.throws(plan, DiskFailure)
    ran++
  }
  assert.equal(ran, cases.length)
})
