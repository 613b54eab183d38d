import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { type FileSource, openFile } from '../byte-source.ts'
import { askOracle, hasOracle } from './oracle.ts'

/** Whether libvhdi can show us disks here; skips the test, saying so, when it cannot. */
export function hasLibvhdi(t: TestContext): boolean {
  if (!hasOracle(t, 'vhdimount') || !hasOracle(t, 'fusermount')) return false
  const hasFuse = existsSync('/dev/fuse')
  if (!hasFuse) t.skip('there is no /dev/fuse')
  return hasFuse
}

/** The disk in a file as libvhdi sees it, with the parents beside the file; gone when the action ends. */
export async function seenByLibvhdi<T>(path: string, action: (disk: FileSource) => Promise<T>): Promise<T> {
  const directory = `${path}.mounted`
  await mkdir(directory)
  const mounted = askOracle('vhdimount', path, directory)
  assert.equal(mounted.status, 0, mounted.text)
  try {
    // The oldest ancestor has number 1, the disk itself the last.
    const last = (await readdir(directory)).sort().at(-1)
    assert.ok(last, 'libvhdi shows no disk')
    const disk = await openFile(join(directory, last))
    try {
      return await action(disk)
    } finally {
      await disk.close()
    }
  } finally {
    askOracle('fusermount', '-u', directory)
  }
}
