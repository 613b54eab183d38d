import type { BackupClient } from '@palisade/sdk'
import { type ComputerPath, computerCommand, pathOf, positiveInteger } from './computer-command.ts'
import { connectToBackup } from './connection.ts'
import { answer, show } from './replies.ts'

const pageLength = 1000
const shownDefault = 100

/** What is told of each volume of a restore. */
interface RestoredVolume {
  readonly revisionId: number
  readonly label: string
  readonly fileSystem: string
  readonly hostName: string | null
  readonly source: { readonly path: string; readonly partition?: number }
}

type Revision = Awaited<ReturnType<typeof newestRevisions>>[number]

/** `palisade backup volumes`: from what a restore can choose, at the newest. */
export function volumes() {
  return computerCommand('volumes')
    .description('list the volumes that can be restored, with their newest revisions')
    .action(async (options) => {
      const client = await connectToBackup(options)
      const newest = await answer(
        client.GET(
          '/v2/accounts/{account_id}/computers/{computer_id}/restore/diskimage/standard/browse/volumes',
          { params: { path: pathOf(options) } },
        ),
      )
      showRevisions(newest)
      for (const { Id, DeviceId, Verification } of newest) {
        if (Verification?.State !== 'DAMAGED') continue
        console.log(
          `Revision ${Id} is DAMAGED: ${Verification.Message}. Older ones of this volume: palisade backup revisions --device '${DeviceId}'`,
        )
      }
    })
}

/** `palisade backup revisions`: older ones too, and those of system volumes. */
export function revisions() {
  return computerCommand('revisions')
    .description('list revisions, newest first, system volumes included')
    .option('--device <id>', 'only those of one volume, by the device that "palisade backup volumes" shows')
    .option(
      '--limit <number>',
      `how many; the newest ${shownDefault} when neither this nor --device is given`,
      positiveInteger,
    )
    .action(async (options) => {
      const client = await connectToBackup(options)
      const path = pathOf(options)
      const limit = options.limit ?? (options.device === undefined ? shownDefault : undefined)
      const listed =
        options.device === undefined
          ? await newestRevisions(client, path, limit ?? shownDefault)
          : await revisionsOf(client, path, options.device)
      showRevisions(listed.slice(0, limit))
      for (const { Id, Verification } of listed.slice(0, limit)) {
        if (Verification?.State === 'DAMAGED')
          console.log(`Revision ${Id} is DAMAGED: ${Verification.Message}.`)
      }
    })
}

async function newestRevisions(client: BackupClient, path: ComputerPath, limit: number) {
  const read = (page: number) =>
    answer(
      client.GET('/v2/accounts/{account_id}/computers/{computer_id}/revisions', {
        params: { path, query: { limit: Math.min(limit, pageLength), page } },
      }),
    )
  const listed = await read(1)
  for (let page = 2; listed.length === (page - 1) * pageLength && listed.length < limit; page++) {
    listed.push(...(await read(page)))
  }
  return listed
}

function revisionsOf(client: BackupClient, path: ComputerPath, deviceId: string) {
  return answer(
    client.GET(
      '/v2/accounts/{account_id}/computers/{computer_id}/restore/diskimage/standard/browse/revisions',
      { params: { path, query: { deviceId } } },
    ),
  )
}

function showRevisions(listed: readonly Revision[]): void {
  show(
    [
      'revision',
      'state',
      'label',
      'drive',
      'of',
      'file system',
      'capacity',
      'used',
      'boot',
      'date',
      'host',
      'set',
      'device',
    ],
    listed.map((one) => [
      one.Id,
      stateOf(one),
      one.Label,
      one.DriveLetter,
      sourceText(one.Source),
      one.FileSystem,
      one.Capacity,
      one.UsedSpace,
      one.IsBoot ? 'yes' : one.IsSystem ? 'system' : 'no',
      one.DateTime,
      one.HostName ?? '',
      one.BackupSetName ?? '',
      one.DeviceId,
    ]),
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
function sourceText({ path, partition }: { path: string; partition?: number }): string {
  return partition === undefined ? path : `${path}#${partition}`
}
