import { closeSync, ftruncateSync, openSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { temporaryDirectory } from '../temporary-directory.ts'
import { hasTools, run } from '../tool.ts'
import { attachLoop, whileMounted } from './mount.ts'

const mebibyte = 1024 * 1024

/** File systems on which copies of files can share their blocks, and how they are made. */
export const sharingFileSystems = {
  xfs: ['mkfs.xfs', '-q', '-m', 'reflink=1'],
  btrfs: ['mkfs.btrfs', '-q'],
} as const satisfies Record<string, readonly [string, ...string[]]>

export type SharingFileSystem = keyof typeof sharingFileSystems

/** Does something in a folder that is a new file system of its own; the test is skipped where none can be made and mounted. */
export async function onSharingFileSystem(
  t: TestContext,
  kind: SharingFileSystem,
  work: (folder: string) => Promise<void>,
  sizeMebibytes = 640,
): Promise<void> {
  const [tool, ...parameters] = sharingFileSystems[kind]
  if (!hasTools(t, tool, 'losetup', 'mount')) return
  const disk = join(temporaryDirectory(t), 'disk')
  const file = openSync(disk, 'w')
  ftruncateSync(file, sizeMebibytes * mebibyte)
  closeSync(file)
  run(tool, ...parameters, disk)
  const device = attachLoop(t, disk)
  if (device !== undefined) await whileMounted(t, device, ['mount', '-t', kind], work)
}
