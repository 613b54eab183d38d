import assert from 'node:assert/strict'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { range, tool } from './images.ts'

/** Where the volume begins on the disks that an agent makes. */
const volumeOffsetBytes = 2 ** 20

/** The files in a folder that have the name of a finished VHDX; none when there is no folder. */
export function finishedDisks(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.vhdx'))
      .map((name) => join(folder, name))
  } catch {
    return []
  }
}

/** Has qemu-img judge a VHDX, and compare the volume on it with what it was made of. */
export function assertHolds(file: string, original: string): void {
  const { size } = statSync(original)
  tool('qemu-img', 'check', '-f', 'vhdx', file)
  const compared = [range('raw', original, 0, size), range('vhdx', file, volumeOffsetBytes, size)]
  assert.match(tool('qemu-img', 'compare', ...compared), /Images are identical/)
}
