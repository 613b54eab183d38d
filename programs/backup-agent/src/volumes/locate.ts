import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import type { BackupSource } from '@palisade/agent-protocol'
import { type BlockDevice, disksBelow, type Machine, pathOf, readBlockDevice, readMounts } from './machine.ts'

/** What a machine knows about the place that a source names. */
export interface Place {
  /** What is read, by no links but the system's own: a partition through its disk, whose table says what it is for. */
  readonly source: BackupSource
  /**
   * What the volume is known by in all its backups: a partition by its disk and its number, unless it was named by a
   * link such as those in /dev/disk, which stay the same when disks change their names.
   */
  readonly identity: BackupSource
  /** The device of the volume; undefined of an image, or when the kernel does not know the partition. */
  readonly device: BlockDevice | undefined
  /** Where the volume is mounted. */
  readonly mountPoints: readonly string[]
  /** The disks below, by their names; what is read when there is none. */
  readonly diskPaths: readonly [string, ...string[]]
}

/** Asks the machine about a source; everything that is no block device is taken for an image. */
export async function locate(machine: Machine, source: BackupSource): Promise<Place> {
  const path = await realpath(source.path)
  const opened = await deviceAt(machine, path)
  if (opened === undefined)
    return {
      source: { ...source, path },
      identity: source,
      device: undefined,
      mountPoints: [],
      diskPaths: [path],
    }
  const { partition } = opened
  const isPartition = partition !== undefined && source.partition === undefined
  const named: BackupSource = isPartition
    ? { path: join(machine.dev, partition.disk.replaceAll('!', '/')), partition: partition.number }
    : { ...source, path: pathOf(machine, opened) }
  const device =
    source.partition === undefined ? opened : await partitionOf(machine, opened, source.partition)
  const mounts = await readMounts(machine)
  const [disk, ...others] = await disksBelow(machine, device ?? opened)
  return {
    source: named,
    identity: isPartition && path === source.path ? named : source,
    device,
    mountPoints:
      device === undefined ? [] : (mounts.get(device.number) ?? mounts.get(pathOf(machine, device)) ?? []),
    diskPaths:
      disk === undefined
        ? [named.path]
        : [pathOf(machine, disk), ...others.map((other) => pathOf(machine, other))],
  }
}

/** The device at a path without links in /dev. */
async function deviceAt(machine: Machine, path: string): Promise<BlockDevice | undefined> {
  const dev = await realpath(machine.dev)
  if (!path.startsWith(`${dev}/`)) return undefined
  return readBlockDevice(machine, path.slice(dev.length + 1).replaceAll('/', '!'))
}

async function partitionOf(
  machine: Machine,
  disk: BlockDevice,
  number: number,
): Promise<BlockDevice | undefined> {
  // The kernel puts a p between a name that ends in a digit and the number.
  for (const name of [`${disk.name}${number}`, `${disk.name}p${number}`]) {
    const device = await readBlockDevice(machine, name)
    if (device?.partition?.disk === disk.name && device.partition.number === number) return device
  }
  return undefined
}
