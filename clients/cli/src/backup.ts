import { Command, Option } from '@commander-js/extra-typings'
import type { BackupClient } from '@palisade/sdk'
import { compare } from './compare.ts'
import {
  accountCommand,
  type ComputerPath,
  computerCommand,
  pathOf,
  positiveInteger,
  revisionOption,
} from './computer-command.ts'
import { connectToBackup, UsageError } from './connection.ts'
import { follow } from './follow.ts'
import { hosts, removeMachine, restoreMachine } from './machines.ts'
import { prove } from './prove.ts'
import { answer, describe, report, show } from './replies.ts'
import { followRestore } from './restores.ts'
import { describeVolume, revisions, volumes } from './revisions.ts'

/** `palisade backup …`: what the backup service does for one computer. */
export function backupCommand() {
  return new Command('backup')
    .description('back volumes up, list them, restore them')
    .addCommand(computers())
    .addCommand(revoke())
    .addCommand(run())
    .addCommand(volumes())
    .addCommand(revisions())
    .addCommand(restore())
    .addCommand(compare())
    .addCommand(hosts())
    .addCommand(restoreMachine())
    .addCommand(removeMachine())
    .addCommand(prove())
}

function computers() {
  return accountCommand('computers')
    .description('list the computers of an account')
    .action(async (options) => {
      const client = await connectToBackup(options)
      const rows = await answer(
        client.GET('/v2/accounts/{account_id}/computers', {
          params: { path: { account_id: options.account } },
        }),
      )
      show(
        ['id', 'name', 'online', 'last seen', 'agent', 'end to end'],
        rows.map((one) => [
          one.id,
          one.name,
          one.online ? 'yes' : 'no',
          one.lastSeen ?? 'never',
          one.agentVersion ?? '',
          one.endToEnd ? 'yes' : 'no',
        ]),
      )
    })
}

function revoke() {
  return computerCommand('revoke')
    .description("shut the computer's agent out at once; a new enrolment key lets one in again")
    .action(async (options) => {
      const client = await connectToBackup(options)
      const { error } = await client.DELETE('/v2/accounts/{account_id}/computers/{computer_id}/credential', {
        params: { path: pathOf(options) },
      })
      if (error !== undefined) throw new UsageError(describe(error))
      console.log(`The agent of ${options.computer} is shut out.`)
    })
}

function run() {
  return computerCommand('run')
    .description('back a raw image, a block device, or a partition of one up')
    .requiredOption('--source <path>', "path on the computer's own file system; PATH#2 is partition 2")
    .option(
      '--partition <number>',
      'the same as # and the number behind the path, counted from 1; the whole when left out',
      positiveInteger,
    )
    .option('--no-wait', 'do not wait until it has ended')
    .action(async (options) => {
      const client = await connectToBackup(options)
      const path = pathOf(options)
      const { data } = await answer(
        client.POST('/v2/accounts/{account_id}/computers/{computer_id}/backups', {
          params: { path },
          body: {
            source: {
              path: options.source,
              ...(options.partition === undefined ? {} : { partition: options.partition }),
            },
          },
        }),
      )
      if (!options.wait) {
        console.log(`backup ${data.id} has started`)
        return
      }
      const ended = await follow('backup', () => readBackup(client, path, data.id))
      report(ended, `revision ${ended.revisionId}`)
    })
}

function restore() {
  return computerCommand('restore')
    .description('write revisions as virtual disks to a folder of the computer')
    .addOption(revisionOption('at most one a volume'))
    .requiredOption('--to <folder>', "folder on the computer's own file system")
    .addOption(
      new Option('--format <format>', 'disk format')
        .choices(['vhd', 'vhdx'] as const)
        .default('vhdx' as const),
    )
    .option('--no-wait', 'do not wait until it has ended')
    .action(async (options) => {
      const client = await connectToBackup(options)
      const path = pathOf(options)
      const started = await client.POST(
        '/v2/accounts/{account_id}/computers/{computer_id}/restore/diskimage/standard/vhd',
        {
          params: { path },
          body: {
            destination: { path: options.to },
            diskFormat: options.format === 'vhd' ? 'Vhd' : 'Vhdx',
            revisions: options.revision,
          },
        },
      )
      await followRestore(client, path, started, options, ({ volumes: restored, files }) =>
        [...restored.map(describeVolume), ...files].join('\n'),
      )
    })
}

function readBackup(client: BackupClient, path: ComputerPath, id: string) {
  return answer(
    client.GET('/v2/accounts/{account_id}/computers/{computer_id}/backups/{id}', {
      params: { path: { ...path, id } },
    }),
  )
}
