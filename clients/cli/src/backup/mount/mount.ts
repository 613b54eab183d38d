import { resolve } from 'node:path'
import { connectToBackup } from '../../connection.ts'
import { exitStatus, UsageError } from '../../exit-status.ts'
import { type OutputOptions, printList } from '../../output.ts'
import { computerCommand, pathOf, revisionOption } from '../computer-command.ts'
import { describeVolume } from '../revisions.ts'
import { exportName } from './attach-disks.ts'
import { requireMountable } from './require-mountable.ts'
import { type Restore, Serving, type Show } from './serving.ts'
import { showFiles } from './show-files.ts'

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
      const usageError = (sentence: string) => new UsageError(sentence, exitStatus.wrongCommandLine)
      if (isForPrograms && folder !== undefined) throw usageError('Give either a folder or --nbd.')
      if (!isForPrograms && folder === undefined)
        throw usageError('Name the folder to show the files in, or give --nbd.')
      const target = folder === undefined ? undefined : resolve(folder)
      if (target !== undefined) requireMountable(target)

      const stopping = new AbortController()
      const stop = () => stopping.abort()
      for (const signal of stopSignals) process.on(signal, stop)
      try {
        const serving = await Serving.start(connectToBackup(options), pathOf(options), options.revision)
        const show = target === undefined ? printAddresses : showFiles(target)
        await whileServed(serving, show, stopping.signal, options)
      } finally {
        for (const signal of stopSignals) process.off(signal, stop)
      }
    })
}

const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

async function whileServed(
  serving: Serving,
  show: Show,
  signal: AbortSignal,
  options: OutputOptions,
): Promise<void> {
  let ended: Restore | undefined
  try {
    const hide = await show(await serving.begin(signal), options)
    try {
      tell('Ctrl+C ends it.', options)
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
    tell(`Fetched ${mebibytes(ended.bytesDone)} of ${mebibytes(ended.bytesTotal)}.`, options)
}

/** Says something to people, beside what programs read. */
function tell(sentence: string, { quiet }: OutputOptions): void {
  if (!quiet) console.error(sentence)
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
    tell(`  qemu-img info '${address}'`, options)
    tell(`  nbdcopy '${address}' disk.img`, options)
    tell(`  guestfish --ro --format=raw -a '${address.replace('nbd+unix', 'nbd')}'`, options)
  }
  return async () => {}
}
