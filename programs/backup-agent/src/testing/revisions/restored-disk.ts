import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { openDisk, openFile, readBytes, readPartitionTable } from '@palisade/virtual-disk'
import { run } from '../tool.ts'

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

/** Where the volume begins on the disks that an agent makes. */
const partitionOffsetBytes = 1024 * 1024

/** Has qemu-img judge a restored disk, and compare the volume on it with the image that it was made of. */
export function judgeRestoredDisk(path: string, image: string): void {
  const driver = path.endsWith('.vhdx') ? 'vhdx' : 'vpc'
  if (driver === 'vhdx') assert.match(run('qemu-img', 'check', '-f', 'vhdx', path), /No errors were found/)
  const volume = {
    driver: 'raw',
    offset: partitionOffsetBytes,
    size: statSync(image).size,
    file: { driver, file: { driver: 'file', filename: path } },
  }
  const compared = run('qemu-img', 'compare', '-f', 'raw', image, `json:${JSON.stringify(volume)}`)
  assert.match(compared, /Images are identical/)
}
