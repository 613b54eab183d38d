/**
 * From disks that the agent serves to block devices of this computer:
 *
 *     agent ──NBD, a socket──> qemu-storage-daemon ──FUSE──> revision-12.raw ──> /dev/loop0
 *                                └─ revision-12.qcow2 takes what is written
 *
 * The revision itself cannot be written. What a file system writes while it is mounted read-only is the end of its journal, which a revision
 * of a running machine has not yet in its place; that goes into an overlay, which is removed with the rest.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from './run.ts'

/** A revision that the agent serves. */
export interface ServedRevision {
  readonly id: number
  readonly capacityBytes: number
}

/** A revision as a block device. */
export interface AttachedDisk {
  readonly id: number
  /** Such as /dev/loop0. */
  readonly device: string
}

/** The name of a revision at the agent's server of network block devices. */
export function exportName(id: number): string {
  return `revision-${id}`
}

/** Attaches revisions. The folder is this process's own; what is made in it, `CleanUp` takes back. */
export async function attachDisks(
  revisions: readonly ServedRevision[],
  socketPath: string,
  work: string,
): Promise<readonly AttachedDisk[]> {
  const pathOf = (id: number, extension: string) => join(work, `${exportName(id)}.${extension}`)
  const options: string[] = []
  for (const { id, capacityBytes } of revisions) {
    await run('qemu-img', 'create', '-q', '-f', 'qcow2', pathOf(id, 'qcow2'), String(capacityBytes))
    await writeFile(pathOf(id, 'raw'), '', { mode: 0o600 })
    options.push(...daemonOptions(id, socketPath, pathOf(id, 'qcow2'), pathOf(id, 'raw')))
  }
  // It goes into the background when all of them can be read.
  await run('qemu-storage-daemon', '--daemonize', '--pidfile', join(work, 'daemon.pid'), ...options)
  const disks: AttachedDisk[] = []
  for (const { id } of revisions) {
    disks.push({ id, device: await run('losetup', '--find', '--show', pathOf(id, 'raw')) })
  }
  return disks
}

function daemonOptions(id: number, socketPath: string, overlay: string, file: string): string[] {
  const [vault, changes] = [`vault${id}`, `changes${id}`]
  const blocks = [
    {
      driver: 'nbd',
      'node-name': vault,
      'read-only': true,
      server: { type: 'unix', path: socketPath },
      export: exportName(id),
    },
    {
      driver: 'qcow2',
      'node-name': changes,
      file: { driver: 'file', filename: overlay },
      backing: vault,
    },
  ]
  const shown = {
    type: 'fuse',
    id: `file${id}`,
    'node-name': changes,
    mountpoint: file,
    writable: true,
    'allow-other': 'off',
  }
  return [
    ...blocks.flatMap((block) => ['--blockdev', JSON.stringify(block)]),
    '--export',
    JSON.stringify(shown),
  ]
}
