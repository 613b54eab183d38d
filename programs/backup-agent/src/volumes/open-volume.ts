import { readFile, realpath, stat } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import { type BackupSource, taskFailures, type VolumeDescription } from '@palisade/agent-protocol'
import { type ByteSource, DiskFailure, type FileSource, openFile, sliceSource } from '@palisade/virtual-disk'
import { describe, TaskFailure } from '../failure.ts'
import { recogniseFileSystem } from '../file-systems/recognise.ts'
import { deviceIdOf } from './device-id.ts'
import { findPartition, type PartitionFacts, wholeSource } from './find-partition.ts'

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

async function openSource(path: string): Promise<FileSource> {
  const kind = await stat(path)
  if (kind.isFile()) return openFile(path)
  if (kind.isBlockDevice()) return openFile(path, await blockDeviceSize(path))
  throw unreadable(path, 'it is neither a file nor a block device')
}

const sysfsSectorSizeBytes = 512

/** Linux tells the size of a block device in sysfs, in units of 512 bytes whatever its sectors are. */
async function blockDeviceSize(path: string): Promise<number> {
  const name = (await realpath(path)).split('/').at(-1) ?? ''
  const sectors = Number(await readFile(`/sys/class/block/${name}/size`, 'utf8'))
  if (!Number.isSafeInteger(sectors)) throw unreadable(path, 'the system does not say how large it is')
  return sectors * sysfsSectorSizeBytes
}

function unreadable(path: string, why: string, cause?: unknown): TaskFailure {
  return new TaskFailure(taskFailures.sourceUnreadable, `${path} cannot be backed up: ${why}`, { cause })
}
