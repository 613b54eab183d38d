import assert from 'node:assert/strict'
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { openFile } from '../byte-source.ts'
import { checkDisk } from '../check/check-disk.ts'
import { composeSource, sliceSource } from '../compose-source.ts'
import { extentOf, MIB } from '../extent.ts'
import { partitionTypes } from '../partitions/partition-table.ts'
import { readPartitionTable } from '../partitions/read.ts'
import { planSingleVolumeDisk } from '../partitions/single-volume-disk.ts'
import { planDisk } from '../plan/plan-disk.ts'
import { openDisk } from '../read/open-disk.ts'
import { askOracle, hasOracle } from '../testing/oracle.ts'
import { assertSameContent } from '../testing/same-content.ts'
import { sparseContent } from '../testing/sparse-content.ts'
import { temporaryDirectory } from '../testing/temporary-directory.ts'
import { writeDiskFile } from './disk-file.ts'

const schemes = [
  { scheme: 'gpt', partitionType: partitionTypes.gpt.basicData },
  { scheme: 'mbr', partitionType: partitionTypes.mbr.ntfs },
] as const

test('a volume comes back out of its disk, for us and after QEMU converted the disk', async (t) => {
  if (!hasOracle(t, 'qemu-img') || !hasOracle(t, 'sgdisk')) return
  const directory = await temporaryDirectory(t)
  const volumeSizeBytes = 20 * MIB + 512
  const volume = await sparseContent(t, directory, volumeSizeBytes, [
    { offsetBytes: 0, sizeBytes: MIB },
    { offsetBytes: 13 * MIB, sizeBytes: 2 * MIB },
    { offsetBytes: 20 * MIB, sizeBytes: 512 },
  ])
  let ran = 0
  for (const request of schemes) {
    const disk = planSingleVolumeDisk({ ...request, volumeSizeBytes })
    const placed = { offsetBytes: disk.partitionOffsetBytes, source: volume.source }
    const content = composeSource(disk.virtualSizeBytes, [...disk.regions, placed])
    const data = [
      ...disk.regions.map(extentOf),
      ...volume.data.map(({ offsetBytes, sizeBytes }) => {
        return { offsetBytes: disk.partitionOffsetBytes + offsetBytes, sizeBytes }
      }),
    ]
    for (const format of ['vhd', 'vhdx'] as const) {
      for (const allocation of ['dynamic', 'fixed'] as const) {
        const path = join(directory, `${request.scheme}-${allocation}.${format}`)
        const handle = await open(path, 'w')
        const plan = planDisk({ format, allocation, virtualSizeBytes: disk.virtualSizeBytes, data })
        await writeDiskFile(handle, plan, content)
        await handle.close()

        const file = await openFile(path)
        t.after(() => file.close())
        assert.deepEqual(await checkDisk(file), [])
        const opened = await openDisk(file)
        const { problems, ...table } = await readPartitionTable(opened)
        assert.deepEqual(problems, [])
        assert.deepEqual(table, disk.table)
        const [partition] = table.partitions
        assert.ok(partition)
        await assertSameContent(sliceSource(opened, partition), volume.source)

        const raw = `${path}.raw`
        const converted = ['-f', format === 'vhd' ? 'vpc' : 'vhdx', '-O', 'raw', path, raw]
        assert.equal(askOracle('qemu-img', 'convert', ...converted).status, 0)
        if (request.scheme === 'gpt') assert.match(askOracle('sgdisk', '-v', raw).text, /No problems found/)
        const bytes = await readFile(raw)
        const carved = bytes.subarray(partition.offsetBytes, partition.offsetBytes + partition.sizeBytes)
        assert.ok(carved.equals(await readFile(volume.path)))
        ran++
      }
    }
  }
  assert.equal(ran, 8)
})
