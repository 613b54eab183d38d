import assert from 'node:assert/strict'
import { openDisk, openFile, readBytes, readPartitionTable } from '@palisade/virtual-disk'

/** The volume inside a restored disk, by the virtual disk library's reader. */
export async function volumeIn(file: string): Promise<Buffer> {
  const source = await openFile(file)
  try {
    const disk = await openDisk(source)
    const { partitions } = await readPartitionTable(disk)
    assert.equal(partitions.length, 1)
    const [{ offsetBytes, sizeBytes } = { offsetBytes: 0, sizeBytes: 0 }] = partitions
    return await readBytes(disk, offsetBytes, sizeBytes)
  } finally {
    await source.close()
  }
}
