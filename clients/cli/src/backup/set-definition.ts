import { readFileSync } from 'node:fs'
import { InvalidArgumentError, Option } from '@commander-js/extra-typings'
import type { BackupSchemas } from '@palisade/sdk'
import { parse } from 'yaml'
import { UsageError } from '../connection.ts'
import { type CommandFacts, computerCommand, positiveInteger } from './computer-command.ts'

type Schemas = BackupSchemas['schemas']
type NewSet = Schemas['NewBackupSet']

/** What a command line says of a set; the rest is left as it is, or chosen. */
export type SetDefinition = Partial<Omit<NewSet, 'name' | 'type'>>

interface TimeOfDay {
  readonly hour: number
  readonly minute: number
}

const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const
type Day = (typeof days)[number]

/** A command about one computer whose options say what a set is. */
export function definingCommand(name: string, facts: CommandFacts) {
  return computerCommand(name, facts)
    .option(
      '--volume <names...>',
      "a drive letter, a device as agents list it, %All%, or a path on the computer's own file system; PATH#2 is partition 2",
    )
    .option('--exclude <names...>', 'what is left out of %All%, named in the same way')
    .addOption(new Option('--every <hours>', 'back up each so many hours').argParser(positiveInteger))
    .addOption(new Option('--at <time>', 'back up at this time of day, such as 22:30').argParser(timeOfDay))
    .addOption(
      new Option('--days <days...>', 'on these days alone, such as Mon Thu; with --at').argParser(
        collectDays,
      ),
    )
    .option('--work-days', 'from Monday to Friday alone; with --at')
    .option('--manual', 'back up when asked to alone')
    .option('--time-zone <zone>', 'in which times are, such as Europe/Berlin')
    .option('--keep-last <number>', 'keep so many revisions of each volume, the newest', positiveInteger)
    .option('--keep-daily <number>', 'and the newest of so many days; with --keep-last', positiveInteger)
    .option('--keep-weekly <number>', 'and of so many weeks', positiveInteger)
    .option('--keep-monthly <number>', 'and of so many months', positiveInteger)
    .option('--verify-after-backup', 'verify each new revision')
    .option('--verify-every <days>', 'verify all revisions so often', positiveInteger)
    .option('--file <file>', 'all of it as JSON or YAML, in the members of the API; options go before it')
}

interface DefinitionOptions extends RetentionOptions {
  readonly volume?: string[] | true | undefined
  readonly exclude?: string[] | true | undefined
  readonly every?: number | undefined
  readonly at?: TimeOfDay | undefined
  readonly days?: Day[] | undefined
  readonly workDays?: true | undefined
  readonly manual?: true | undefined
  readonly timeZone?: string | undefined
  readonly verifyAfterBackup?: true | undefined
  readonly verifyEvery?: number | undefined
  readonly file?: string | undefined
}

/** How many revisions are kept. */
export interface RetentionOptions {
  readonly keepLast?: number | undefined
  readonly keepDaily?: number | undefined
  readonly keepWeekly?: number | undefined
  readonly keepMonthly?: number | undefined
}

/** @throws UsageError for options that make no sense together, and a file that cannot be read */
export function readDefinition(options: DefinitionOptions): SetDefinition {
  const { volume, exclude, timeZone, verifyAfterBackup, verifyEvery, file } = options
  const { settings: settingsOfFile, ...ofFile } = file === undefined ? {} : readFile(file)
  const schedule = scheduleOf(options)
  const retention = readRetention(options)
  const verification =
    verifyAfterBackup || verifyEvery !== undefined
      ? {
          ...(verifyAfterBackup ? { afterBackup: true } : {}),
          ...(verifyEvery === undefined ? {} : { everyDays: verifyEvery }),
        }
      : undefined
  const settings = {
    ...settingsOfFile,
    ...(retention && { retention }),
    ...(verification && { verification }),
  }
  return {
    ...ofFile,
    ...(Array.isArray(volume) ? { selection: volume.map(selected) } : {}),
    ...(Array.isArray(exclude) ? { exclusions: exclude.map(selected) } : {}),
    ...(schedule && { schedule: [schedule] }),
    ...(timeZone === undefined ? {} : { timeZone }),
    ...(Object.keys(settings).length > 0 ? { settings } : {}),
  }
}

/** @throws UsageError when others are said than how many newest ones are kept in any case */
export function readRetention(options: RetentionOptions): Schemas['Retention'] | undefined {
  const { keepLast, keepDaily, keepWeekly, keepMonthly } = options
  const others = {
    ...(keepDaily === undefined ? {} : { keepDaily }),
    ...(keepWeekly === undefined ? {} : { keepWeekly }),
    ...(keepMonthly === undefined ? {} : { keepMonthly }),
  }
  if (keepLast !== undefined) return { keepLast, ...others }
  if (Object.keys(others).length === 0) return undefined
  throw new UsageError('Say --keep-last too: how many newest revisions are kept in any case.')
}

function scheduleOf({
  every,
  at,
  days: named,
  workDays,
  manual,
}: DefinitionOptions): Schemas['ScheduleItem'] | undefined {
  const ways = [every, at, manual].filter((one) => one !== undefined)
  if (ways.length > 1) throw new UsageError('Say one of --every, --at and --manual.')
  if ((named || workDays) && at === undefined) throw new UsageError('Say at what time, too: --at.')
  if (named && workDays) throw new UsageError('Say one of --days and --work-days.')
  if (manual) return { type: 'manual' }
  if (every !== undefined) return { type: 'hourly', interval: every }
  if (at === undefined) return undefined
  if (named) return { type: 'weekly', days: named, ...at }
  return { type: 'daily', ...at, ...(workDays ? { workDaysOnly: true } : {}) }
}

/** A path is a source of its own; everything else a volume that the agent lists. */
function selected(name: string): NewSet['selection'][number] {
  return /^(\/|[A-Za-z]:[\\/].)/.test(name) ? { path: name } : name
}

function timeOfDay(text: string): TimeOfDay {
  const [, hour = '', minute = ''] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text) ?? []
  if (minute === '') throw new InvalidArgumentError('It must be a time of day, such as 22:30.')
  return { hour: Number(hour), minute: Number(minute) }
}

function collectDays(text: string, previous: Day[] | undefined): Day[] {
  const day = days.find((one) => text.length >= 3 && one.toLowerCase().startsWith(text.toLowerCase()))
  if (day === undefined) throw new InvalidArgumentError('It must be a day of the week, such as Mon.')
  return [...(previous ?? []), day]
}

/** The server says what is wrong with its members. */
function readFile(file: string): SetDefinition {
  let content: unknown
  try {
    content = parse(readFileSync(file === '-' ? 0 : file, 'utf8'))
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${error instanceof Error ? error.message : error}`)
  }
  if (typeof content === 'object' && content !== null && !Array.isArray(content)) return content
  throw new UsageError(`${file} must hold the members of a backup set.`)
}
