import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { run } from './tool.ts'

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
