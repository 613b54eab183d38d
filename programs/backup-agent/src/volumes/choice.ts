import { realpath } from 'node:fs/promises'
import { dirname, isAbsolute } from 'node:path'
import type { BackupSource } from '@palisade/agent-protocol'
import type { Place } from './locate.ts'
import type { Machine } from './machine.ts'
import { systemNamesOf } from './system-names.ts'

/** Which volumes of this machine may be backed up, as its operator says. */
export interface VolumeChoice {
  /** Patterns; when there are any, one of them must fit. */
  readonly include: readonly string[]
  /** Patterns of volumes that are left out all the same. */
  readonly exclude: readonly string[]
}

export const everyVolume: VolumeChoice = { include: [], exclude: [] }

/**
 * Whether a volume may be backed up. A pattern is a path, in which `*` stands for any letters, and may end in `#` and
 * the number of a partition; without that it fits all partitions: `/dev/sd*`, `/images/web.raw#2`. Links in it are
 * followed, up to its first star.
 *
 * A volume is included only by what it is or what the system calls it, since anybody who may make a link somewhere could
 * give it another name; it is excluded also by the name that it is asked for under.
 *
 * @param place where `asked` leads
 */
export async function isChosen(
  { include, exclude }: VolumeChoice,
  asked: BackupSource,
  place: Place,
  machine: Machine,
): Promise<boolean> {
  if (include.length === 0 && exclude.length === 0) return true
  const names = await systemNamesOf(machine, place)
  const isIncluded = include.length === 0 || (await someFits(include, names))
  return isIncluded && !(await someFits(exclude, [asked, ...names]))
}

async function someFits(patterns: readonly string[], names: readonly BackupSource[]): Promise<boolean> {
  const expressions = (await Promise.all(patterns.map(expressionsOf))).flat()
  return names.some(({ path, partition }) =>
    expressions.some(({ form, number }) => form.test(path) && (number === undefined || number === partition)),
  )
}

/** What a pattern fits, as it is written and with its links followed. */
async function expressionsOf(pattern: string) {
  const [, path = pattern, digits] = /^(.*)#(\d+)$/.exec(pattern) ?? []
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
