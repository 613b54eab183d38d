import { stat } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { type FileSource, openFile } from '../byte-source.ts'
import type { ImageFormat, ParentResolver, VirtualDisk } from '../disk/virtual-disk.ts'
import type { SectorSizeBytes } from '../partitions/partition-table.ts'
import { openDisk } from './open-disk.ts'

/** An open disk that owns its file and those of its parents. */
export interface DiskFile extends VirtualDisk {
  close(): Promise<void>
}

/** How `openDiskFile` opens the file of a disk. */
export interface OpenFileOptions {
  /** What the file's name says unless given; what its content says where the name says nothing. */
  readonly format?: ImageFormat
  /** Where parents are looked for, by their names alone; the disk's own directory unless given. */
  readonly parentDirectories?: readonly string[]
  /** Of a raw disk; 512 unless given. */
  readonly rawSectorSizeBytes?: SectorSizeBytes
}

const absenceCodes: readonly unknown[] = ['ENOENT', 'ENAMETOOLONG']

const formatsByExtension: Readonly<Record<string, ImageFormat>> = {
  '.vhd': 'vhd',
  '.avhd': 'vhd',
  '.vhdx': 'vhdx',
  '.avhdx': 'vhdx',
  '.raw': 'raw',
  '.img': 'raw',
}

/** The format that files of this name have by custom, or undefined. */
export function formatOfName(path: string): ImageFormat | undefined {
  return formatsByExtension[extname(path).toLowerCase()]
}

/**
 * Opens a file as a disk, with its parents. Of the paths by which a differencing disk calls its parent only the
 * last part is used: a disk from elsewhere cannot make the reader open files outside of `parentDirectories`.
 *
 * Rejects as `openDisk` does, or with the system's error when a file cannot be opened; nothing is left open then.
 */
export async function openDiskFile(path: string, options: OpenFileOptions = {}): Promise<DiskFile> {
  const files: FileSource[] = []
  const close = async (): Promise<void> => {
    for (const file of files.splice(0)) await file.close()
  }
  const format = options.format ?? formatOfName(path)
  const { rawSectorSizeBytes } = options
  try {
    const file = await openFile(path)
    files.push(file)
    const disk = await openDisk(file, {
      resolveParent: parentsIn(options.parentDirectories ?? [dirname(path)], files),
      ...(format === undefined ? {} : { format }),
      ...(rawSectorSizeBytes === undefined ? {} : { rawSectorSizeBytes }),
    })
    return { ...disk, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Resolves a parent to the first regular file of one of its names; the files it opens are added to `files`. */
function parentsIn(directories: readonly string[], files: FileSource[]): ParentResolver {
  return async ({ paths }) => {
    const names = new Set(paths.map((path) => basename(path.replaceAll('\\', '/'))))
    for (const directory of directories) {
      for (const name of names) {
        const file = await openIfThere(join(directory, name))
        if (file === undefined) continue
        files.push(file)
        return file
      }
    }
    return undefined
  }
}

/** The name comes from a disk: what it leads to may be a folder or a pipe, and it may be none that a file can have. */
async function openIfThere(path: string): Promise<FileSource | undefined> {
  if (path.includes('\0')) return undefined
  try {
    return (await stat(path)).isFile() ? await openFile(path) : undefined
  } catch (error) {
    const isAbsent = error instanceof Error && 'code' in error && absenceCodes.includes(error.code)
    if (isAbsent) return undefined
    throw error
  }
}
