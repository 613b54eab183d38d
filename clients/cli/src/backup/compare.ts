import { answer } from '@palisade/sdk'
import { connectToBackup } from '../connection.ts'
import { followAction } from './actions.ts'
import { computerCommand, pathOf, positiveInteger } from './computer-command.ts'

/** `palisade backup compare`: whether a disk of the computer still is what was backed up. */
export function compare() {
  return computerCommand('compare', {
    operations: ['compareDiskWithRevision', 'getBackupSetAction'],
    examples: ['compare 12 --disk /srv/restored/files01-linux-data-1.vhdx'],
  })
    .description('read a disk of the computer, and say whether the volume on it is as it was backed up')
    .argument('<revision>', 'the revision that it is held against', positiveInteger)
    .requiredOption(
      '--disk <path>',
      "a VHD, VHDX or raw image on the computer's own file system; PATH#2 is partition 2, and without one it is the one as long as the volume",
    )
    .option('--no-wait', 'do not wait until it has ended')
    .action(async (revision, options) => {
      const client = connectToBackup(options)
      const path = pathOf(options)
      const { data } = await answer(
        client.POST('/v2/accounts/{account_id}/computers/{computer_id}/revisions/{id}/compare', {
          params: { path: { ...path, id: String(revision) } },
          body: { path: options.disk },
        }),
      )
      const action = {
        id: data.id,
        title: 'comparison',
        text: `The volume is as it was backed up in revision ${revision}.`,
        failure: 'It was not found to be as it was backed up',
      }
      await followAction(client, path, action, options)
    })
}

/** `palisade backup verify`: whether what the vault has of a revision is what was backed up. */
export function verify() {
  return computerCommand('verify', {
    operations: ['verifyRevision', 'getBackupSetAction'],
    examples: ['verify 12', 'verify 12 --sample 10'],
  })
    .description('read the chunks of a revision in the vault, and compare them with their names')
    .argument('<revision>', 'which one', positiveInteger)
    .option('--sample <percent>', 'a random part of its chunks; all of them when left out', positiveInteger)
    .option('--no-wait', 'do not wait until it has ended')
    .action(async (revision, options) => {
      const client = connectToBackup(options)
      const path = pathOf(options)
      const { data } = await answer(
        client.POST('/v2/accounts/{account_id}/computers/{computer_id}/revisions/{id}/verify', {
          params: { path: { ...path, id: String(revision) } },
          body: options.sample === undefined ? {} : { samplePercent: options.sample },
        }),
      )
      const action = {
        id: data.id,
        title: 'verification',
        text: `Revision ${revision} is whole.`,
        failure: `Revision ${revision} could not be verified`,
      }
      await followAction(client, path, action, options)
    })
}
