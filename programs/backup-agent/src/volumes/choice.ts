import { realpath } from 'node:fs/promises'
import { dirname, isAbsolute } from 'node:path'
import type { BackupSource } from '@palisade/agent-protocol'
import { partitionAtEnd } from '@palisade/agent-protocol/wire'
import { systemCode } from '@palisade/private-files'
import { isOwnDisk } from './listed-devices.ts'
import { locate, type Place } from './locate.ts'
import { type Machine, pathOf, readBlockDevices } from './machine.ts'
import { systemNamesOf } from './system-names.ts'

/** What of this machine may be read, as its operator says. */
export interface VolumeChoice {
  /** Images and devices by their absolute paths, beside the machine's own disks. */
  readonly images: readonly string[]
  /**
   * Patterns of files that may be read as well. Of devices, once there are patterns of some, only those that one of them fits.
   */
  readonly include: readonly string[]
  /** Patterns of what is left out all the same. */
  readonly exclude: readonly string[]
}

/** The machine's own disks, and no files. */
export const ownDisks: VolumeChoice = { images: [], include: [], exclude: [] }

/** What an operator reads who asked for something else. */
export const notChosen =
  'it is not there, or is not what the owner of this computer lets its agent read: its own disks, what --image and --include name, ' +
  'and nothing that --exclude names'

/**
 * Whether a volume may be read. A pattern is a path, in which `*` stands for any letters, and may end in `#` and
 * the number of a partition; without that it fits all partitions: `/dev/sd*`, `/images/web.raw#2`. Links in it are
 * followed, up to its first star.
 *
 * A volume is included only by what it is or what the system calls it, since anybody who may make a link somewhere could
 * give it another name; it is excluded also by the name that it is asked for under.
 *
 * @param place where `asked` leads
 */
export async function isChosen(
  { images, include, exclude }: VolumeChoice,
  source: BackupSource,
  place: Place,
  machine: Machine,
): Promise<boolean> {
  const names = await systemNamesOf(machine, place)
  if (await someFits(exclude, [source, ...names])) return false
  if (await someFits(include, names)) return true
  // Of an image that a pattern is about only the partitions that it names.
  if (await isNamed(images, names)) return !(await someFits(include.map(withoutPartition), names))
  return !(await isAboutDevices(include, machine)) && isOnOwnDisk(place, machine)
}

/**
 * Where a source leads that may be read.
 *
 * @returns undefined when it may not, or leads nowhere: who may not read it is not told whether it is there
 */
export async function locateChosen(
  choice: VolumeChoice,
  source: BackupSource,
  machine: Machine,
): Promise<Place | undefined> {
  try {
    const place = await locate(machine, source)
    return (await isChosen(choice, source, place, machine)) ? place : undefined
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return undefined
  }
}

async function isOnOwnDisk({ source: { path } }: Place, machine: Machine): Promise<boolean> {
  const devices = await readBlockDevices(machine)
  const device = devices.find((other) => pathOf(machine, other) === path)
  return device !== undefined && isOwnDisk(device, devices)
}

/** Whether one of the patterns can fit a device. */
async function isAboutDevices(patterns: readonly string[], { dev }: Machine): Promise<boolean> {
  const paths = [...patterns, ...(await Promise.all(patterns.map(withoutLinks)))]
  return paths.some((path) => {
    const [fixed = '', ...rest] = path.split('*')
    return fixed.startsWith(`${dev}/`) || (rest.length > 0 && dev.startsWith(fixed))
  })
}

async function isNamed(images: readonly string[], names: readonly BackupSource[]): Promise<boolean> {
  const paths = new Set(
    (await Promise.all(images.map(async (image) => [image, await withoutLinks(image)]))).flat(),
  )
  return names.some(({ path }) => paths.has(path))
}

function withoutPartition(pattern: string): string {
  return partitionAtEnd.exec(pattern)?.[1] ?? pattern
}

async function someFits(patterns: readonly string[], names: readonly BackupSource[]): Promise<boolean> {
  const expressions = (await Promise.all(patterns.map(expressionsOf))).flat()
  return names.some(({ path, partition }) =>
    expressions.some(({ form, number }) => form.test(path) && (number === undefined || number === partition)),
  )
}

/** What a pattern fits, as it is written and with its links followed. */
async function expressionsOf(pattern: string) {
  const [, path = pattern, digits] = partitionAtEnd.exec(pattern) ?? []
  const number = digits === undefined ? undefined : Number(digits)
  return [path, await withoutLinks(path)].map((text) => ({
    form: new RegExp(`^${text.split('*').map(literally).join('.*')}$`, 's'),
    number,
  }))
}

async function withoutLinks(pattern: string): Promise<string> {
  const star = pattern.indexOf('*')
  const fixed = star === -1 ? pattern : dirname(pattern.slice(0, star + 1))
  if (!isAbsolute(fixed)) return pattern
  try {
    return withoutSlash(await realpath(fixed)) + pattern.slice(withoutSlash(fixed).length)
  } catch {
    // It is not there: no volume is either, unless somebody makes it, and then this looks again.
    return pattern
  }
}

function withoutSlash(folder: string): string {
  return folder.endsWith('/') ? folder.slice(0, -1) : folder
}

function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}
