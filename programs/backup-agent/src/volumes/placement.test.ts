import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryDirectory } from '../testing/temporary-directory.ts'
import { writePartitionedDisk } from '../testing/volumes/partitioned-disk.ts'
import { openVolume } from './open-volume.ts'

const mebibyte = 1024 * 1024

test('a partition says where it is on which disk', async (t) => {
  const path = join(temporaryDirectory(t), 'disk.raw')
  writePartitionedDisk(path, 'mbr', [{ type: '83' }, { type: '07', active: true }])
  const { description } = await openVolume({ path, partition: 2 })
  assert.deepEqual(description.placement, {
    disk: { id: '1A2B3C4D', sizeBytes: 64 * mebibyte, sectorSizeBytes: 512 },
    number: 2,
    offsetBytes: 9 * mebibyte,
    uniqueId: '1A2B3C4D-02',
    name: '',
    attributes: '0',
    isActive: true,
  })
  assert.equal(description.frame, undefined, 'the frame is a part of a backup, not of what is found')
})
