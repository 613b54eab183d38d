import type { BackupClient } from '@palisade/sdk'
import { type ComputerPath, computerCommand, pathOf, positiveInteger } from './computer-command.ts'
import { connectToBackup, UsageError } from './connection.ts'
import { answer } from './replies.ts'

const pollMs = 500

/** `palisade backup compare`: whether a disk of the computer still is what was backed up. */
export function compare() {
  return computerCommand('compare')
    .description('read a disk of the computer, and say whether the volume on it is as it was backed up')
    .argument('<revision>', 'the revision that it is held against', positiveInteger)
    .requiredOption(
      '--disk <path>',
      "a VHD, VHDX or raw image on the computer's own file system; PATH#2 is partition 2",
    )
    .option(
      '--partition <number>',
      'the same as # and the number behind the path; the one as long as the volume when left out',
      positiveInteger,
    )
    .option('--no-wait', 'do not wait until it has ended')
    .action(async (revision, options) => {
      const client = await connectToBackup(options)
      const path = pathOf(options)
      const { data } = await answer(
        client.POST('/v2/accounts/{account_id}/computers/{computer_id}/revisions/{id}/compare', {
          params: { path: { ...path, id: String(revision) } },
          body: {
            path: options.disk,
            ...(options.partition === undefined ? {} : { partition: options.partition }),
          },
        }),
      )
      if (!options.wait) {
        console.log(`comparison ${data.id} has started`)
        return
      }
      const { state, reason } = await waitForAction(client, path, data.id)
      if (state !== 'SUCCESS') throw new UsageError(`It was not found to be as it was backed up: ${reason}.`)
      console.log(`The volume is as it was backed up in revision ${revision}.`)
    })
}

/** Waits until an action has ended. */
async function waitForAction(client: BackupClient, path: ComputerPath, id: string) {
  for (;;) {
    const { data } = await answer(
      client.GET('/v2/accounts/{account_id}/computers/{computer_id}/backupsets/{id}/info', {
        params: { path: { ...path, id } },
      }),
    )
    if (data.ended !== null) return data
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}
