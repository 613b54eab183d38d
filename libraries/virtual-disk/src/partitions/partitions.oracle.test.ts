import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { openFile } from '../byte-source.ts'
import { MIB } from '../extent.ts'
import { writeSparse } from '../testing/disk-bytes.ts'
import { askOracle, hasOracle } from '../testing/oracle.ts'
import { temporaryDirectory } from '../testing/temporary-directory.ts'
import { partitionTypes } from './partition-table.ts'
import { readPartitionTable } from './read.ts'
import { planSingleVolumeDisk } from './single-volume-disk.ts'

test('sgdisk finds no problem in a GPT of ours, from the smallest disk to 9 TiB', async (t) => {
  if (!hasOracle(t, 'sgdisk')) return
  const directory = await temporaryDirectory(t)
  const sizes = [512, 3 * MIB + 512, 9 * 1024 ** 3, 9 * 1024 ** 4]
  let ran = 0
  for (const volumeSizeBytes of sizes) {
    const path = join(directory, `${volumeSizeBytes}.raw`)
    const type = partitionTypes.gpt.basicData
    const disk = planSingleVolumeDisk({ scheme: 'gpt', volumeSizeBytes, partitionType: type, name: 'volume' })
    await writeSparse(path, disk.virtualSizeBytes, disk.regions)
    const verdict = askOracle('sgdisk', '-v', path)
    assert.match(verdict.text, /No problems found/)
    const details = askOracle('sgdisk', '-i', '1', path).text
    assert.ok(details.includes(`First sector: 2048 `), details)
    assert.ok(details.includes(`Partition size: ${disk.partitionSizeBytes / 512} sectors`), details)
    assert.ok(details.includes(`unique GUID: ${disk.table.partitions[0]?.uniqueId}`), details)
    assert.ok(details.includes(`Partition name: 'volume'`), details)
    ran++
  }
  assert.equal(ran, sizes.length)
})

test('reads what sgdisk writes', async (t) => {
  if (!hasOracle(t, 'sgdisk')) return
  const path = join(await temporaryDirectory(t), 'disk.raw')
  await writeSparse(path, 64 * MIB, [])
  const output = askOracle(
    'sgdisk',
    ...[
      '-n',
      '1:2048:+8M',
      '-t',
      '1:EF00',
      '-c',
      '1:boot',
      '-n',
      '7:0:0',
      '-t',
      '7:8300',
      '-A',
      '7:set:2',
      path,
    ],
  )
  assert.equal(output.status, 0, output.text)
  const source = await openFile(path)
  t.after(() => source.close())
  const table = await readPartitionTable(source)
  assert.deepEqual(table.problems, [])
  const partitions = table.partitions.map(({ number, offsetBytes, sizeBytes, type, name, attributes }) => {
    return { number, offsetBytes, sizeBytes, type, name, attributes }
  })
  assert.deepEqual(partitions, [
    {
      number: 1,
      offsetBytes: MIB,
      sizeBytes: 8 * MIB,
      type: partitionTypes.gpt.efiSystem,
      name: 'boot',
      attributes: 0n,
    },
    {
      number: 7,
      offsetBytes: 9 * MIB,
      sizeBytes: partitions[1]?.sizeBytes,
      type: partitionTypes.gpt.linux,
      name: '',
      attributes: 4n,
    },
  ])
  assert.match(askOracle('sgdisk', '-p', path).text, new RegExp(`\\(GUID\\): ${table.diskId}`))
})
