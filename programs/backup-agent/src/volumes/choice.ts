import type { BackupSource } from '@palisade/agent-protocol'

/** Which volumes of this machine may be backed up, as its operator says. */
export interface VolumeChoice {
  /** Patterns; when there are any, one of them must fit. */
  readonly include: readonly string[]
  /** Patterns of volumes that are left out all the same. */
  readonly exclude: readonly string[]
}

/**
 * Whether a volume may be backed up. A pattern is a path, in which `*` stands for any letters, and may end in `#` and
 * the number of a partition; without that it fits all partitions: `/dev/sd*`, `/images/web.raw#2`.
 */
export function isChosen({ include, exclude }: VolumeChoice, source: BackupSource): boolean {
  const fits = (pattern: string) => fitsPattern(pattern, source)
  return (include.length === 0 || include.some(fits)) && !exclude.some(fits)
}

function fitsPattern(pattern: string, { path, partition }: BackupSource): boolean {
  const [, pathPattern = pattern, number] = /^(.*)#(\d+)$/.exec(pattern) ?? []
  const expression = pathPattern.split('*').map(literally).join('.*')
  return (
    new RegExp(`^${expression}$`, 's').test(path) && (number === undefined || Number(number) === partition)
  )
}

function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}
