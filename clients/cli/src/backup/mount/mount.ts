import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import type { BackupSchemas } from '@palisade/sdk'
import { connectToBackup, UsageError } from '../../connection.ts'
import { exitStatus } from '../../exit-status.ts'
import { cell, printList, say } from '../../output.ts'
import { computerCommand, pathOf, revisionOption } from '../computer-command.ts'
import { describeVolume } from '../revisions.ts'
import { type AttachedDisk, attachDisks, exportName } from './attach-disks.ts'
import { CleanUp, type MountPlaces } from './clean-up.ts'
import { contentOf, mountVolume } from './mount-volume.ts'
import { searchPath } from './run.ts'
import { Serving } from './serving.ts'

type Restore = BackupSchemas['schemas']['Restore']

/** `palisade backup mount`: the files of revisions, without restoring them. */
export function mount() {
  return computerCommand('mount', {
    operations: ['serveDisks', 'getRestore', 'cancelRestore'],
    examples: ['mount /mnt/tuesday --revision 12', 'mount --nbd --revision 12'],
  })
    .description(
      'show the files of revisions in a folder of this machine, from which they can be copied, until Ctrl+C; it has to be the machine that the agent runs on',
    )
    .argument('[folder]', 'where the volumes are shown: an empty folder, or one that is not there yet')
    .addOption(revisionOption('also several of one volume'))
    .option('--nbd', 'mount nothing: print where programs such as qemu-img can read the disks; needs no root')
    .action(async (folder, options) => {
      const isForPrograms = options.nbd === true
      const wrong = (sentence: string) => new UsageError(sentence, exitStatus.wrongCommandLine)
      if (isForPrograms && folder !== undefined) throw wrong('Give either a folder or --nbd.')
      if (!isForPrograms && folder === undefined)
        throw wrong('Name the folder to show the files in, or give --nbd.')
      const target = folder === undefined ? undefined : resolve(folder)
      if (target !== undefined) requireMountable(target)

      const stopping = new AbortController()
      const stop = () => stopping.abort()
      for (const signal of stopSignals) process.on(signal, stop)
      try {
        const serving = await Serving.ask(connectToBackup(options), pathOf(options), options.revision)
        const show = target === undefined ? printAddresses : showFiles(target)
        await whileServed(serving, show, stopping.signal, options)
      } finally {
        for (const signal of stopSignals) process.off(signal, stop)
      }
    })
}

const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

type Options = Parameters<typeof printList>[2]

/** Shows what is served. @returns takes back what it made for that */
type Show = (
  served: { readonly restore: Restore; readonly socketPath: string },
  options: Options,
) => Promise<() => Promise<void>>

async function whileServed(
  serving: Serving,
  show: Show,
  signal: AbortSignal,
  options: Options,
): Promise<void> {
  let ended: Restore | undefined
  try {
    const hide = await show(await serving.begin(signal), options)
    try {
      say('Ctrl+C ends it.', options)
      await serving.watch(signal, (sentence) => console.error(sentence))
    } finally {
      await hide()
    }
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    ended = await serving.end()
  }
  if (ended !== undefined)
    say(`Fetched ${mebibytes(ended.bytesDone)} of ${mebibytes(ended.bytesTotal)}.`, options)
}

function mebibytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`
}

/** `--nbd`: for those who have other programs, or are not root. */
const printAddresses: Show = async ({ restore, socketPath }, options) => {
  const lines = restore.volumes.map((volume) => ({
    volume,
    address: `nbd+unix:///${exportName(volume.revisionId)}?socket=${encodeURIComponent(socketPath)}`,
  }))
  printList(
    lines,
    [
      ['address', ({ address }) => address],
      ['of', ({ volume }) => describeVolume(volume)],
    ],
    options,
  )
  for (const { address } of lines) {
    say(`  qemu-img info '${address}'\n  nbdcopy '${address}' disk.img`, options)
    say(`  guestfish --ro --format=raw -a '${address.replace('nbd+unix', 'nbd')}'`, options)
  }
  return async () => {}
}

/** Mounts everything that can be mounted, each volume in a folder of its own. */
function showFiles(target: string): Show {
  return async ({ restore, socketPath }, options) => {
    const places = makePlaces(target)
    const cleanUp = new CleanUp(places)
    try {
      const revisions = restore.volumes.map(({ revisionId: id, capacity: capacityBytes }) => ({
        id,
        capacityBytes,
      }))
      const shown: Shown[] = []
      for (const disk of await attachDisks(revisions, socketPath, places.work)) {
        shown.push(await showVolume(disk, target))
      }
      printShown(shown, options)
      return () => cleanUp.run()
    } catch (error) {
      await cleanUp.run()
      throw error
    }
  }
}

/** What became of a revision. */
interface Shown {
  readonly revision: number
  readonly fileSystem: string | undefined
  readonly label: string
  /** Undefined when it cannot be shown. */
  readonly folder: string | undefined
  /** What is to be said of it. */
  readonly note: string | undefined
}

async function showVolume({ id, device }: AttachedDisk, target: string): Promise<Shown> {
  const content = await contentOf(device)
  const what = { revision: id, fileSystem: content.type, label: content.label }
  const folder = join(target, exportName(id))
  mkdirSync(folder, { mode: 0o700 })
  try {
    return { ...what, folder, note: await mountVolume(device, content, folder) }
  } catch (error) {
    return { ...what, folder: undefined, note: error instanceof Error ? error.message : String(error) }
  }
}

/** @throws UsageError when nothing can be shown */
function printShown(shown: readonly Shown[], options: Options): void {
  for (const { revision, folder, note } of shown) {
    if (note === undefined) continue
    console.error(cell(`revision ${revision}${folder === undefined ? ' is not shown' : ''}: ${note}`))
  }
  const mounted = shown.filter(({ folder }) => folder !== undefined)
  if (mounted.length === 0) throw new UsageError('There is no file system that can be shown; see --nbd.')
  printList(
    mounted,
    [
      ['folder', ({ folder }) => folder],
      ['revision', ({ revision }) => revision],
      ['file system', ({ fileSystem }) => fileSystem],
      ['label', ({ label }) => label],
    ],
    options,
  )
}

/** What mounting takes, by the packages of Debian that have it. */
const programs: Readonly<Record<string, string>> = {
  'qemu-storage-daemon': 'qemu-system-common, or qemu-utils from Debian 13 on',
  'qemu-img': 'qemu-utils',
  losetup: 'mount',
  mount: 'mount',
  blkid: 'util-linux',
}

/** @throws UsageError that says what is missing, before anything is asked for */
function requireMountable(target: string): void {
  if (process.platform !== 'linux')
    throw new UsageError('Only Linux mounts revisions; elsewhere there is --nbd.')
  if (process.getuid?.() !== 0)
    throw new UsageError(
      'Only root can mount: run the command with sudo, or give --nbd.',
      exitStatus.notAllowed,
    )
  const missing = Object.entries(programs).filter(([name]) => !isProgram(name))
  if (missing.length > 0) {
    const list = missing.map(([name, packages]) => `${name} (package ${packages})`).join(', ')
    throw new UsageError(`These programs are missing: ${list}. Install them, or give --nbd.`)
  }
  const devices = ['/dev/fuse', '/dev/loop-control'].filter((device) => !existsSync(device))
  if (devices.length > 0) {
    throw new UsageError(
      `This machine has no ${devices.join(' and no ')}: load the modules fuse and loop with modprobe, or, in a container, give --nbd.`,
    )
  }
  if (!existsSync(target)) return
  const facts = statSync(target)
  if (!facts.isDirectory()) throw new UsageError(`${target} is no folder.`)
  if (facts.uid !== 0)
    throw new UsageError(`${target} belongs to another user (${facts.uid}), who could replace what is in it.`)
  if (readdirSync(target).length > 0)
    throw new UsageError(`${target} is not empty: name an empty folder, or one that is not there yet.`)
}

function isProgram(name: string): boolean {
  return searchPath.split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

/** Others of this machine see neither the files nor the disks: what is in them may be theirs by its number, and is not meant for them. */
function makePlaces(target: string): MountPlaces {
  const targetMode = existsSync(target) ? statSync(target).mode & 0o7777 : undefined
  if (targetMode === undefined) mkdirSync(target, { mode: 0o700, recursive: true })
  else chmodSync(target, 0o700)
  return { target, targetMode, work: mkdtempSync(join(tmpdir(), 'palisade-mount-')) }
}
