import { resolve } from 'node:path'
import type { BackupSource, VolumeDescription } from '@palisade/agent-protocol'
import { withPartition } from '@palisade/agent-protocol/wire'
import { describe } from '@palisade/start-up'
import { DiskFailure, sliceSource } from '@palisade/virtual-disk'
import { TaskFailure } from '../failure.ts'
import { findSystem } from '../file-systems/find-system.ts'
import { recogniseFileSystem } from '../file-systems/recognise.ts'
import { bootRoleOf } from './boot-role.ts'
import { locateChosen, notChosen, type VolumeChoice } from './choice.ts'
import { deviceIdOf } from './device-id.ts'
import {
  type Disk,
  type PartitionFacts,
  readPartitions,
  readPartitionsIfAny,
  wholeSource,
} from './find-partition.ts'
import { locate, type Place } from './locate.ts'
import { type Machine, thisMachine } from './machine.ts'
import { openSource, unreadable } from './open-source.ts'

/** A volume that can be backed up: a range of bytes of a file or block device. */
export interface Volume {
  readonly sourcePath: string
  readonly offsetBytes: number
  readonly sizeBytes: number
  readonly description: VolumeDescription
  /** UUID or serial number of the file system; empty when it is not known. */
  readonly fileSystemId: string
  /** The system that starts from it says its version; undefined when there is none or it cannot be told. */
  readonly osVersion: string | undefined
  readonly partition: PartitionFacts
  readonly place: Place
}

/**
 * Finds a volume and looks at what is on it. A file system that is unknown or damaged is no obstacle: its bytes
 * are backed up all the same. What the operator has not chosen is not opened.
 *
 * @param choice everything may be read when it is left out
 * @throws TaskFailure SourceUnreadable when it is not to be backed up, it cannot be opened or read, there is no such
 *   partition, or it is a disk with partitions, of which one is to be named
 */
export async function openVolume(
  request: BackupSource,
  machine: Machine = thisMachine,
  choice?: VolumeChoice,
): Promise<Volume> {
  const source = readSource(request)
  const { path } = source
  if (resolve(path) !== path)
    throw unreadable(
      path,
      'the path must be absolute, without "." and "..", doubled slashes and a slash at its end',
    )
  try {
    const place = await (choice === undefined
      ? locate(machine, source)
      : locateChosen(choice, source, machine))
    if (place === undefined) throw unreadable(path, notChosen)
    const disk = await openSource(place.source.path, linksOf(place))
    try {
      return await describeVolume(disk, place, await findVolume(disk, place))
    } finally {
      await disk.close()
    }
  } catch (error) {
    if (error instanceof TaskFailure) throw error
    throw unreadable(path, describe(error), error)
  }
}

/** The system calls some of its devices by links. */
export function linksOf({ device }: Place): 'refused' | 'followed' {
  return device === undefined ? 'refused' : 'followed'
}

function readSource(source: BackupSource): BackupSource {
  try {
    return withPartition(source)
  } catch (error) {
    throw unreadable(source.path, describe(error), error)
  }
}

/** Describes one volume of a disk that is open. */
export async function describeVolume(disk: Disk, place: Place, partition: PartitionFacts): Promise<Volume> {
  const bytes = sliceSource(disk, partition)
  const fileSystem = await recogniseFileSystem(bytes)
  const system = await findSystem(bytes)
  const { path } = place.source
  const { identity } = place
  const { isBoot, isSystem } = bootRoleOf(partition, place.mountPoints, system)
  const starting = await startingDisk(place, partition)
  return {
    sourcePath: path,
    offsetBytes: partition.offsetBytes,
    sizeBytes: partition.sizeBytes,
    description: {
      deviceId: deviceIdOf(identity.path, identity.partition),
      driveLetter: '',
      label: fileSystem?.label ?? '',
      fileSystem: fileSystem?.name ?? 'unknown',
      capacityBytes: partition.sizeBytes,
      usedBytes: Math.min(fileSystem?.usedBytes ?? partition.sizeBytes, partition.sizeBytes),
      isBoot,
      firmware: starting.firmware,
      partitionScheme: partition.scheme,
      partitionType: partition.type,
      sourcePath: identity.path,
      isSystem,
      diskId: starting.path,
      ...(partition.placement === undefined ? {} : { placement: partition.placement }),
    },
    fileSystemId: fileSystem?.id ?? '',
    osVersion: system?.osVersion,
    partition,
    place,
  }
}

async function findVolume(
  disk: Disk,
  { source: { path, partition: number } }: Place,
): Promise<PartitionFacts> {
  if (disk.sizeBytes === 0) throw unreadable(path, 'it is empty')
  if (number === undefined) {
    const partitions = await readPartitionsIfAny(disk)
    if (partitions.length === 0) return wholeSource(disk)
    throw unreadable(
      path,
      `it is a disk with partitions; name one of them: ${listOf(partitions)}, as ${path}#${partitions[0]?.number} or apart from the path`,
    )
  }
  try {
    const partitions = await readPartitions(disk)
    const match = partitions.find((partition) => partition.number === number)
    if (match !== undefined) return match
    throw unreadable(path, `it has no partition ${number}; it has ${listOf(partitions)}`)
  } catch (error) {
    if (error instanceof DiskFailure) throw unreadable(path, error.message, error)
    throw error
  }
}

function listOf(partitions: readonly PartitionFacts[]): string {
  if (partitions.length === 0) return 'none'
  return partitions
    .map(
      ({ number, sizeBytes, type }) => `${number} (${Math.round(sizeBytes / 1024 ** 2)} MiB, type ${type})`,
    )
    .join(', ')
}

/**
 * The disk that a volume belongs to: of several, as below a RAID, the first that UEFI starts from, where there is one, so that
 * what starts the volume is known to be on the same disk.
 */
async function startingDisk(
  { source, diskPaths }: Place,
  partition: PartitionFacts,
): Promise<{ readonly path: string; readonly firmware: PartitionFacts['firmware'] }> {
  for (const path of diskPaths) {
    try {
      const firmware = path === source.path ? partition.firmware : await firmwareOfDisk(path)
      if (firmware === 'uefi') return { path, firmware }
    } catch (error) {
      // One of several may have failed, and the volume is read without it.
      if (diskPaths.length === 1) throw error
    }
  }
  return { path: diskPaths[0], firmware: 'bios' }
}

/** A logical volume has no partition table of its own: the disk below it says what starts it. */
async function firmwareOfDisk(path: string): Promise<PartitionFacts['firmware']> {
  const disk = await openSource(path, 'followed')
  try {
    return (await readPartitionsIfAny(disk))[0]?.firmware ?? 'bios'
  } finally {
    await disk.close()
  }
}
