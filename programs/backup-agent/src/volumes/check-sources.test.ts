import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryDirectory } from '../testing/temporary-directory.ts'
import { writePartitionedDisk } from '../testing/volumes/partitioned-disk.ts'
import { checkSources } from './check-sources.ts'
import { ownDisks } from './choice.ts'

test('each source has what a backup of it would fail with, in the order of the question', async (t) => {
  const folder = temporaryDirectory(t)
  const [disk, image, secret] = ['disk.raw', 'image.raw', 'secret'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  writePartitionedDisk(disk, 'mbr', [{ type: '07' }, { type: '83', active: true }])
  writeFileSync(image, Buffer.alloc(8192, 1))
  writeFileSync(secret, 'secret')
  const sources = [
    { path: disk },
    { path: disk, partition: 2 },
    { path: disk, partition: 3 },
    { path: image },
    { path: secret },
    { path: join(folder, 'none') },
  ]
  const faults = await checkSources(sources, { ...ownDisks, images: [disk, image] })
  const expected = [
    /disk with partitions; name one of them: 1 .*, 2 /,
    null,
    /no partition 3/,
    null,
    /not there, or is not what/,
  ]
  for (const [index, form] of [...expected, expected.at(-1)].entries()) {
    if (form === null) assert.equal(faults[index], null)
    else assert.match(faults[index] ?? '', form ?? /^$/)
  }
  assert.equal(faults.length, sources.length)
})
