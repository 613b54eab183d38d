import { answer, type BackupSchemas } from '@palisade/sdk'
import { connectToBackup } from '../connection.ts'
import { computerCommand, pathOf } from './computer-command.ts'
import { reportStart } from './replies.ts'
import { sourceText } from './revisions.ts'
import { type TaskKind, taskCommands, watchTask } from './task-commands.ts'

const kind: TaskKind<BackupSchemas['schemas']['Backup']> = {
  title: 'backup',
  operations: { list: 'listBackups', read: 'getBackup', cancel: 'cancelBackup' },
  list: (client, path, query) =>
    answer(
      client.GET('/v2/accounts/{account_id}/computers/{computer_id}/backups', { params: { path, query } }),
    ),
  read: (client, path, id) =>
    answer(
      client.GET('/v2/accounts/{account_id}/computers/{computer_id}/backups/{id}', {
        params: { path: { ...path, id } },
      }),
    ),
  cancel: (client, path, id) =>
    answer(
      client.POST('/v2/accounts/{account_id}/computers/{computer_id}/backups/{id}/cancel', {
        params: { path: { ...path, id } },
      }),
    ),
  whenCancelled: 'it leaves no revision',
  columns: [
    ['of', ({ source }) => sourceText(source)],
    ['revision', ({ revisionId }) => revisionId],
  ],
  outcome: ({ revisionId }) => ({ text: `revision ${revisionId}`, name: revisionId }),
}

/** `palisade backup run`: one volume, now. */
export function run() {
  return computerCommand('run', {
    operations: ['startBackup', 'getBackup'],
    examples: ['run --source /srv/images/files01.img#1', 'run --source /dev/sdb --no-wait'],
  })
    .description('back a raw image, a block device, or a partition of one up')
    .requiredOption('--source <path>', "path on the computer's own file system; PATH#2 is partition 2")
    .option('--no-wait', 'do not wait until it has ended')
    .action(async (options) => {
      const client = connectToBackup(options)
      const path = pathOf(options)
      const { data } = await answer(
        client.POST('/v2/accounts/{account_id}/computers/{computer_id}/backups', {
          params: { path },
          body: { source: { path: options.source } },
        }),
      )
      if (options.wait) await watchTask(kind, client, path, data.id, options)
      else reportStart('backup', data.id, options)
    })
}

/** `palisade backup backups`: those that were asked for, under way or not. */
export function backups() {
  return taskCommands(kind)
}
