import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { openFile } from '../byte-source.ts'
import { MIB } from '../extent.ts'
import { writeSparse } from '../testing/disk-bytes.ts'
import { damagedFile, damageTo } from '../testing/fuzz/damage.ts'
import { partitionSubjects } from '../testing/fuzz/partition-subjects.ts'
import { fuzzRuns } from '../testing/fuzz/runs.ts'
import { askOracle, askOracleWith, hasOracle } from '../testing/oracle.ts'
import { diskWith, gptTable, mbrTable } from '../testing/partition-tables.ts'
import { temporaryDirectory } from '../testing/temporary-directory.ts'
import { writeSparseCopy } from '../testing/write-sparse-copy.ts'
import { checkPartitionTable } from './check.ts'
import { partitionTypes } from './partition-table.ts'
import { readPartitionTable } from './read.ts'

async function read(t: TestContext, path: string): ReturnType<typeof readPartitionTable> {
  const source = await openFile(path)
  t.after(() => source.close())
  assert.deepEqual(await checkPartitionTable(source), [])
  return readPartitionTable(source)
}

/** What parted sees, as [number, first byte, size]. */
function seenByParted(path: string): (readonly number[])[] {
  const { text, status } = askOracle('parted', '-s', '-m', path, 'unit', 'B', 'print')
  assert.equal(status, 0, text)
  return text
    .split('\n')
    .filter((line) => /^\d+:/.test(line))
    .map((line) => line.split(':').map((field) => Number.parseInt(field, 10)))
    .map(([number = 0, first = 0, _ = 0, size = 0]) => [number, first, size])
}

function places(table: Awaited<ReturnType<typeof readPartitionTable>>): (readonly number[])[] {
  const container = table.extended === undefined ? [] : [table.extended]
  return [...table.partitions, ...container]
    .map(({ number, offsetBytes, sizeBytes }) => [number, offsetBytes, sizeBytes])
    .sort(([one = 0], [other = 0]) => one - other)
}

test('parted sees the partitions of our tables where we put them, logical drives included', async (t) => {
  if (!hasOracle(t, 'parted')) return
  const directory = await temporaryDirectory(t)
  for (const table of [gptTable, mbrTable]) {
    const path = join(directory, `${table.scheme}.raw`)
    await writeFile(path, diskWith(table))
    const starts = seenByParted(path).sort(([one = 0], [other = 0]) => one - other)
    assert.deepEqual(starts, places({ ...table, problems: [] }))
  }
})

test('sfdisk finds no error in our tables', async (t) => {
  if (!hasOracle(t, 'sfdisk')) return
  const directory = await temporaryDirectory(t)
  for (const table of [gptTable, mbrTable]) {
    const path = join(directory, `${table.scheme}.raw`)
    await writeFile(path, diskWith(table))
    const verdict = askOracle('sfdisk', '--verify', path)
    assert.equal(verdict.status, 0, verdict.text)
    assert.match(verdict.text, /No errors detected/)
  }
})

test('fdisk reads a GPT of 4096-byte sectors as we wrote it', async (t) => {
  if (!hasOracle(t, 'fdisk')) return
  const path = join(await temporaryDirectory(t), 'large-sectors.raw')
  const partitions = gptTable.partitions.slice(0, 2)
  await writeFile(path, diskWith({ ...gptTable, sectorSizeBytes: 4096, partitions }))
  const { text, status } = askOracle('fdisk', '-b', '4096', '-o', 'Start,Sectors', '-l', path)
  assert.equal(status, 0, text)
  assert.doesNotMatch(text, /corrupt|mismatch|not match/i)
  assert.match(text, new RegExp(`Disk identifier: ${gptTable.diskId}`))
  const rows = [...text.matchAll(/^\s*(\d+)\s+(\d+)\s*$/gm)].map(([, first, count]) => [
    Number(first),
    Number(count),
  ])
  assert.deepEqual(
    rows,
    partitions.map(({ offsetBytes, sizeBytes }) => [offsetBytes / 4096, sizeBytes / 4096]),
  )
})

test('reads the logical drives that parted and sfdisk make', async (t) => {
  if (!hasOracle(t, 'parted') || !hasOracle(t, 'sfdisk')) return
  const directory = await temporaryDirectory(t)
  const byParted = join(directory, 'parted.raw')
  await writeSparse(byParted, 64 * MIB, [])
  const steps = [
    'mklabel',
    'msdos',
    'mkpart',
    'primary',
    '1MiB',
    '9MiB',
    'mkpart',
    'extended',
    '9MiB',
    '60MiB',
  ]
  const drives = ['mkpart', 'logical', '10MiB', '20MiB', 'mkpart', 'logical', '30MiB', '50MiB']
  const output = askOracle('parted', '-s', byParted, ...steps, ...drives, 'set', '1', 'boot', 'on')
  assert.equal(output.status, 0, output.text)
  const table = await read(t, byParted)
  assert.deepEqual(places(table), seenByParted(byParted))
  assert.deepEqual(
    table.partitions.map(({ number, offsetBytes, active }) => [number, offsetBytes / MIB, active]),
    [
      [1, 1, true],
      [5, 10, false],
      [6, 30, false],
    ],
  )

  const bySfdisk = join(directory, 'sfdisk.raw')
  await writeSparse(bySfdisk, 64 * MIB, [])
  const script = 'label: dos\nlabel-id: 0x1a2b3c4d\n,8M,7,*\n,,5\n,10M\n,20M\n,4M,c\n'
  const ran = askOracleWith({ input: script }, 'sfdisk', '-q', bySfdisk)
  assert.equal(ran.status, 0, ran.text)
  const other = await read(t, bySfdisk)
  assert.equal(other.diskId, '1A2B3C4D')
  assert.deepEqual(places(other), seenByParted(bySfdisk))
  assert.deepEqual(
    other.partitions.map(({ type }) => type),
    [partitionTypes.mbr.ntfs, '83', '83', partitionTypes.mbr.fat32],
  )
})

test('reads logical drives as sfdisk does, whatever stands in bytes of their records that have no meaning', async (t) => {
  if (!hasOracle(t, 'sfdisk')) return
  const path = join(await temporaryDirectory(t), 'disk.raw')
  const disk = diskWith(mbrTable)
  for (const { recordOffsetBytes: at } of mbrTable.partitions) {
    if (at === undefined) continue
    disk.writeUInt8(0x01, at + 446)
    disk.fill(0x17, at + 446 + 32, at + 510)
  }
  await writeFile(path, disk)
  const listed = askOracle('sfdisk', '--dump', path).text.matchAll(/start= *(\d+),/g)
  const starts = [...listed].map(([, start]) => Number(start) * 512)
  assert.deepEqual(
    places(await read(t, path)).map(([, offsetBytes]) => offsetBytes),
    starts,
  )
})

test('wherever sgdisk finds a problem with a damaged GPT, so do we', async (t) => {
  if (!hasOracle(t, 'sgdisk')) return
  const [subject] = partitionSubjects
  assert.ok(subject)
  const path = join(await temporaryDirectory(t), 'damaged.raw')
  let agreed = 0
  const property = fc.asyncProperty(damageTo(subject), async (damage) => {
    const source = damagedFile(subject, { ...damage, sizeBytes: undefined })
    await writeSparseCopy(path, source)
    const { status, text } = askOracleWith({ millisecondsMax: 2000 }, 'sgdisk', '-v', path)
    if (status === null) return
    if (!/Identified [1-9]\d* problems|Problem:|invalid|corrupt/i.test(text)) return
    assert.ok((await checkPartitionTable(source)).length > 0, text)
    agreed++
  })
  await fc.assert(property, { seed: fuzzRuns(60).seed, numRuns: 60 })
  assert.ok(agreed > 10, `sgdisk found something only ${agreed} times`)
})
