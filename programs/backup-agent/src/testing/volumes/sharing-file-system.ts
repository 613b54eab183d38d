import { closeSync, ftruncateSync, openSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { scopeOfFile } from '../scope.ts'
import { temporaryDirectory } from '../temporary-directory.ts'
import { hasTools, run } from '../tool.ts'
import { attachLoop, mountedFolder, type ScopeWithSkip, unmount } from './mount.ts'

const sizeBytes = 640 * 1024 * 1024

/** File systems on which copies of files can share their blocks, and how they are made. */
export const sharingFileSystems = {
  xfs: ['mkfs.xfs', '-q', '-m', 'reflink=1'],
  btrfs: ['mkfs.btrfs', '-q'],
} as const satisfies Record<string, readonly [string, ...string[]]>

export type SharingFileSystem = keyof typeof sharingFileSystems

const file = scopeOfFile()
const folders = new Map<SharingFileSystem, string>()

/**
 * The folder of a new file system that the tests of a file share, empty at the beginning of each; undefined, with the test skipped, where
 * none can be made and mounted.
 */
export function emptySharingFileSystem(t: TestContext, kind: SharingFileSystem): string | undefined {
  const folder = folders.get(kind) ?? mountForFile(t, kind)
  if (folder === undefined) return undefined
  folders.set(kind, folder)
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true })
  return folder
}

function mountForFile(t: TestContext, kind: SharingFileSystem): string | undefined {
  const scope: ScopeWithSkip = { after: file.after, skip: (reason) => t.skip(reason) }
  const device = deviceWith(scope, kind)
  const folder = device === undefined ? undefined : mountedFolder(scope, device, ['mount', '-t', kind])
  if (folder !== undefined) file.after(() => unmount(folder))
  return folder
}

/** A block device with a new file system. */
function deviceWith(t: ScopeWithSkip, kind: SharingFileSystem): string | undefined {
  const [tool, ...parameters] = sharingFileSystems[kind]
  if (!hasTools(t, tool, 'losetup', 'mount')) return undefined
  const disk = join(temporaryDirectory(t), 'disk')
  const descriptor = openSync(disk, 'w')
  ftruncateSync(descriptor, sizeBytes)
  closeSync(descriptor)
  run(tool, ...parameters, disk)
  return attachLoop(t, disk)
}
