import type { DiskFormat } from '../disk/disk-plan.ts'
import type { ImageFormat } from '../disk/virtual-disk.ts'
import { requireArgument } from '../failure.ts'
import { type DiskFile, formatOfName, openDiskFile } from '../read/open-disk-file.ts'
import type { Arguments } from './arguments.ts'

const formats: readonly ImageFormat[] = ['vhd', 'vhdx', 'raw']

/** A format by its name in an option; undefined when the option is not there. */
export function parseFormat(text: string | undefined, option: string): ImageFormat | undefined {
  if (text === undefined) return undefined
  const format = formats.find((name) => name === text.toLowerCase())
  requireArgument(format !== undefined, `--${option} is vhd, vhdx or raw, not ${text}`)
  return format
}

/** The format that was given or that the name says; undefined leaves it to the content. */
export function formatOfArgument(path: string, { values }: Arguments): ImageFormat | undefined {
  return parseFormat(values.format, 'format') ?? formatOfName(path)
}

/** The same for what only files with headers can do. */
export function formatWithHeaders(path: string, args: Arguments): DiskFormat | undefined {
  const format = formatOfArgument(path, args)
  requireArgument(format !== 'raw', `${path} is raw: nothing in it says what it is`)
  return format
}

/** Opens a file with the parents that it needs. */
export function openArgument(path: string, args: Arguments): Promise<DiskFile> {
  const format = formatOfArgument(path, args)
  const { parents: parentDirectories } = args.values
  return openDiskFile(path, {
    ...(format === undefined ? {} : { format }),
    ...(parentDirectories === undefined ? {} : { parentDirectories }),
  })
}
