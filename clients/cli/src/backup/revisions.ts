import { answer, type BackupClient, type BackupSchemas, type ComputerPath } from '@palisade/sdk'
import { type ConnectionOptions, connectToBackup } from '../connection.ts'
import { confirm } from '../login/ask.ts'
import { type OutputOptions, printList, printThing, say } from '../output.ts'
import {
  collectIntegers,
  computerCommand,
  groupCommand,
  pathOf,
  positiveInteger,
} from './computer-command.ts'
import { newest } from './newest.ts'

const shownDefault = 100

const one = '/v2/accounts/{account_id}/computers/{computer_id}/revisions/{id}'

/** What is told of each volume of a restore. */
interface RestoredVolume {
  readonly revisionId: number
  readonly label: string
  readonly fileSystem: string
  readonly hostName: string | null
  readonly source: { readonly path: string; readonly partition?: number }
}

type Revision = BackupSchemas['schemas']['RevisionDetails']

/** `palisade backup volumes`: from what a restore can choose, at the newest. */
export function volumes() {
  return computerCommand('volumes', { operations: ['browseVolumes'], examples: ['volumes'] })
    .description('list the volumes that can be restored, with their newest revisions')
    .action(async (options) => {
      const client = connectToBackup(options)
      const listed = await answer(
        client.GET(
          '/v2/accounts/{account_id}/computers/{computer_id}/restore/diskimage/standard/browse/volumes',
          { params: { path: pathOf(options) } },
        ),
      )
      showRevisions(listed, options)
      for (const { Id, DeviceId, Verification } of listed) {
        if (Verification?.State !== 'DAMAGED') continue
        console.error(
          `Revision ${Id} is DAMAGED: ${Verification.Message}. Older ones of this volume: palisade backup revisions --device '${DeviceId}'`,
        )
      }
    })
}

/** `palisade backup revisions`: older ones too, and those of system volumes. */
export function revisions() {
  return groupCommand('revisions', 'revisions of a computer: list, show, pin, unpin, delete')
    .addCommand(list(), { isDefault: true })
    .addCommand(showOne())
    .addCommand(
      eachRevision('pin', {
        description: 'keep revisions, so that neither retention nor a command deletes them',
        operation: 'pinRevision',
        outcome: 'is pinned',
        call: (client, init) => client.POST(`${one}/pin`, init),
      }),
    )
    .addCommand(
      eachRevision('unpin', {
        description: 'let revisions be deleted again',
        operation: 'unpinRevision',
        outcome: 'is not pinned',
        call: (client, init) => client.DELETE(`${one}/pin`, init),
      }),
    )
    .addCommand(remove())
}

function remove() {
  return computerCommand('delete', {
    operations: ['deleteRevision'],
    examples: ['revisions delete 12 14', 'revisions delete 12 --yes'],
  })
    .description('delete revisions for good; those that are pinned or being restored stay')
    .argument('<revisions...>', 'which ones', collectIntegers)
    .option('-y, --yes', 'do not ask')
    .action(async (ids, options) => {
      const question = `Delete revision ${ids.join(', ')} of computer ${options.computer} for good? Nothing takes it back.`
      if (!options.yes) await confirm(question)
      await withEach(ids, options, 'is deleted', (client, init) => client.DELETE(one, init))
    })
}

function list() {
  return computerCommand('list', {
    operations: ['listRevisions', 'browseRevisions'],
    examples: ['revisions list --limit 20', 'revisions list --device /dev/sdb#1'],
  })
    .description('list revisions, newest first, system volumes included')
    .option('--device <id>', 'only those of one volume, by the device that "palisade backup volumes" shows')
    .option(
      '--limit <number>',
      `how many; the newest ${shownDefault} when neither this nor --device is given`,
      positiveInteger,
    )
    .action(async (options) => {
      const client = connectToBackup(options)
      const path = pathOf(options)
      const limit = options.limit ?? (options.device === undefined ? shownDefault : undefined)
      const listed =
        options.device === undefined
          ? await newestRevisions(client, path, limit ?? shownDefault)
          : await revisionsOf(client, path, options.device)
      const shown = listed.slice(0, limit)
      showRevisions(shown, options)
      for (const { Id, Verification } of shown) {
        if (Verification?.State === 'DAMAGED')
          console.error(`Revision ${Id} is DAMAGED: ${Verification.Message}.`)
      }
    })
}

function showOne() {
  return computerCommand('show', { operations: ['getRevision'], examples: ['revisions show 12'] })
    .description('show one revision')
    .argument('<revision>', 'which one', positiveInteger)
    .action(async (id, options) => {
      const revision = await answer(
        connectToBackup(options).GET(one, { params: { path: { ...pathOf(options), id: String(id) } } }),
      )
      printThing(revision, options)
    })
}

/** What is done with each of some revisions. */
interface RevisionVerb {
  readonly description: string
  readonly operation: string
  /** What is told of a revision when it is done. */
  readonly outcome: string
  readonly call: RevisionCall
}

type RevisionCall = (
  client: BackupClient,
  init: { params: { path: ComputerPath & { readonly id: string } } },
) => Parameters<typeof answer<undefined>>[0]

function eachRevision(name: string, { description, operation, outcome, call }: RevisionVerb) {
  return computerCommand(name, { operations: [operation], examples: [`revisions ${name} 12 14`] })
    .description(description)
    .argument('<revisions...>', 'which ones', collectIntegers)
    .action((ids, options) => withEach(ids, options, outcome, call))
}

async function withEach(
  ids: readonly number[],
  options: OutputOptions & ConnectionOptions & Parameters<typeof pathOf>[0],
  outcome: string,
  call: RevisionCall,
): Promise<void> {
  const client = connectToBackup(options)
  for (const id of ids) {
    await answer(call(client, { params: { path: { ...pathOf(options), id: String(id) } } }))
    say(`Revision ${id} ${outcome}.`, options)
  }
}

function newestRevisions(client: BackupClient, path: ComputerPath, limit: number): Promise<Revision[]> {
  return newest(limit, (query) =>
    answer(
      client.GET('/v2/accounts/{account_id}/computers/{computer_id}/revisions', { params: { path, query } }),
    ),
  )
}

function revisionsOf(client: BackupClient, path: ComputerPath, deviceId: string) {
  return answer(
    client.GET(
      '/v2/accounts/{account_id}/computers/{computer_id}/restore/diskimage/standard/browse/revisions',
      { params: { path, query: { deviceId } } },
    ),
  )
}

function showRevisions(listed: readonly Revision[], options: OutputOptions): void {
  printList(
    listed,
    [
      ['revision', ({ Id }) => Id],
      ['state', stateOf],
      ['pinned', ({ Pinned }) => (Pinned ? 'yes' : 'no')],
      ['label', ({ Label }) => Label],
      ['drive', ({ DriveLetter }) => DriveLetter],
      ['of', ({ Source }) => sourceText(Source)],
      ['file system', ({ FileSystem }) => FileSystem],
      ['capacity', ({ Capacity }) => Capacity],
      ['used', ({ UsedSpace }) => UsedSpace],
      ['boot', ({ IsBoot, IsSystem }) => (IsBoot ? 'yes' : IsSystem ? 'system' : 'no')],
      ['date', ({ DateTime }) => DateTime],
      ['host', ({ HostName }) => HostName],
      ['set', ({ BackupSetName }) => BackupSetName],
      ['device', ({ DeviceId }) => DeviceId],
    ],
    options,
  )
}

function stateOf({ Verification }: Revision): string {
  if (Verification === null) return 'not verified'
  return Verification.State === 'DAMAGED' ? 'DAMAGED' : 'verified'
}

/** What a volume of a restore is, in a line. */
export function describeVolume(volume: RestoredVolume): string {
  const { revisionId, label, fileSystem, hostName, source } = volume
  const what = [label, fileSystem].filter((word) => word !== '').join(', ')
  return `revision ${revisionId}: ${sourceText(source)} (${what})${hostName === null ? '' : ` of ${hostName}`}`
}

/** A source in one word, a partition as agents write it: `/dev/sdb#1`. */
export function sourceText({ path, partition }: { path: string; partition?: number }): string {
  return partition === undefined ? path : `${path}#${partition}`
}
