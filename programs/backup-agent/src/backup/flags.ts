import { resolve } from 'node:path'
import { withPartition } from '@palisade/agent-protocol/wire'
import type { TrackingSettings } from '../tracking/kept-record.ts'
import { type BackupSettings, defaultBackupSettings } from './settings.ts'

/** What of the agent's command line is about backups, for `parseArgs`. */
export const backupFlags = {
  image: { type: 'string', multiple: true },
  include: { type: 'string', multiple: true },
  exclude: { type: 'string', multiple: true },
  bandwidth: { type: 'string' },
  'whole-volumes': { type: 'boolean', default: false },
  'no-snapshots': { type: 'boolean', default: false },
  'track-changes': { type: 'boolean', default: false },
  'full-read-every': { type: 'string' },
} as const

/** The same for people. */
export const backupUsage = `  --image PATH       an image or device that may be read beside this machine's disks, and is offered for backups, or one
                     partition of it (PATH#2); may be repeated
  --include PATTERN  files that may be read as well, such as '/images/*' or '/images/web.raw#2' (partition 2);
                     of devices read only what fits, such as '/dev/sd*'; may be repeated
  --exclude PATTERN  never read what fits; may be repeated
  --bandwidth RATE   send at most so many bytes a second, such as 500K or 20M (1024 based)
  --whole-volumes    back up also what a file system does not use
  --no-snapshots     read volumes as they are, also where a snapshot could be taken
  --track-changes    keep a copy of each image on XFS or btrfs that shares its blocks, and read only what was changed
                     since; what is overwritten takes room until the next backup
  --full-read-every N  read everything in every Nth backup all the same, and check what was known (10)
`

/** A line below this is taken for broken by servers, which wait for a request for some minutes. */
const bandwidthMinBytes = 64 * 1024
const units: Readonly<Record<string, number>> = { '': 1, K: 1024, M: 1024 ** 2, G: 1024 ** 3 }

/** Every how many backups everything is read to check what tracking has said, although no kernel is known to get that wrong. */
const fullReadEveryDefault = 10

interface BackupValues {
  readonly image?: readonly string[]
  readonly include?: readonly string[]
  readonly exclude?: readonly string[]
  readonly bandwidth?: string
  readonly 'whole-volumes': boolean
  readonly 'no-snapshots': boolean
  readonly 'track-changes': boolean
  readonly 'full-read-every'?: string
}

/** The settings that a command line asks for. Throws with one sentence for a person. */
export function backupSettingsOf(values: BackupValues): BackupSettings {
  const { image = [], include = [], exclude = [] } = values
  const unclear = image.find((path) => resolve(path) !== path)
  if (unclear !== undefined)
    throw new Error(`--image must be an absolute path without "." and "..", not ${unclear}`)
  const images = image.map((path) => withPartition({ path }))
  const partitions = image.filter((_, index) => images[index]?.partition !== undefined)
  return {
    ...defaultBackupSettings,
    wholeVolumes: values['whole-volumes'],
    takesSnapshots: !values['no-snapshots'],
    tracking: trackingOf(values),
    bytesPerSecondMax: bandwidthOf(values.bandwidth),
    volumes: { images: images.map(({ path }) => path), include: [...include, ...partitions], exclude },
  }
}

function trackingOf(values: BackupValues): TrackingSettings | undefined {
  const { 'track-changes': tracksChanges, 'full-read-every': every } = values
  if (!tracksChanges) {
    if (every === undefined) return undefined
    throw new Error('--full-read-every needs --track-changes')
  }
  if (values['no-snapshots'])
    throw new Error('--track-changes needs snapshots, and --no-snapshots takes none')
  if (every === undefined) return { fullReadEvery: fullReadEveryDefault }
  if (/^[1-9]\d{0,3}$/.test(every)) return { fullReadEvery: Number(every) }
  throw new Error('--full-read-every must be a whole number from 1 to 9999')
}

function bandwidthOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const [, number, unit = ''] = /^(\d{1,12})([KMG]?)$/.exec(text) ?? []
  const bytesPerSecond = Number(number) * (units[unit] ?? 1)
  if (bytesPerSecond >= bandwidthMinBytes) return bytesPerSecond
  throw new Error('--bandwidth must be bytes a second, at least 64K, such as 500K or 20M')
}
