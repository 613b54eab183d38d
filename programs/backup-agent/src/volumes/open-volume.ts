import { isAbsolute } from 'node:path'
import type { BackupSource, VolumeDescription } from '@palisade/agent-protocol'
import { type ByteSource, DiskFailure, sliceSource } from '@palisade/virtual-disk'
import { describe, TaskFailure } from '../failure.ts'
import { recogniseFileSystem } from '../file-systems/recognise.ts'
import { deviceIdOf } from './device-id.ts'
import { findPartition, type PartitionFacts, wholeSource } from './find-partition.ts'
import { openSource, unreadable } from './open-source.ts'

/** A volume that can be backed up: a range of bytes of a file or block device. */
export interface Volume {
  readonly sourcePath: string
  readonly offsetBytes: number
  readonly sizeBytes: number
  readonly description: VolumeDescription
}

/**
 * Finds a volume and looks at what is on it. A file system that is unknown or damaged is no obstacle: its bytes
 * are backed up all the same.
 *
 * @throws TaskFailure SourceUnreadable when it cannot be opened or read, or there is no such partition
 */
export async function openVolume(source: BackupSource): Promise<Volume> {
  const { path, partition } = source
  if (!isAbsolute(path)) throw unreadable(path, 'the path must be absolute')
  try {
    const disk = await openSource(path)
    try {
      return await describeVolume(disk, path, partition)
    } finally {
      await disk.close()
    }
  } catch (error) {
    if (error instanceof TaskFailure) throw error
    throw unreadable(path, describe(error), error)
  }
}

async function describeVolume(disk: ByteSource, path: string, number: number | undefined): Promise<Volume> {
  const facts = await partitionFacts(disk, path, number)
  const bytes = sliceSource(disk, facts)
  const fileSystem = await recogniseFileSystem(bytes)
  return {
    sourcePath: path,
    offsetBytes: facts.offsetBytes,
    sizeBytes: facts.sizeBytes,
    description: {
      deviceId: deviceIdOf(path, number),
      driveLetter: '',
      label: fileSystem?.label ?? '',
      fileSystem: fileSystem?.name ?? 'unknown',
      capacityBytes: facts.sizeBytes,
      usedBytes: Math.min(fileSystem?.usedBytes ?? facts.sizeBytes, facts.sizeBytes),
      isBoot: facts.isBoot,
      firmware: facts.firmware,
      partitionScheme: facts.scheme,
      partitionType: facts.type,
      sourcePath: path,
    },
  }
}

async function partitionFacts(
  disk: ByteSource,
  path: string,
  number: number | undefined,
): Promise<PartitionFacts> {
  if (disk.sizeBytes === 0) throw unreadable(path, 'it is empty')
  if (number === undefined) return wholeSource(disk)
  try {
    const facts = await findPartition(disk, number)
    if (facts === undefined) throw unreadable(path, `it has no partition ${number}`)
    return facts
  } catch (error) {
    if (error instanceof DiskFailure) throw unreadable(path, error.message, error)
    throw error
  }
}
