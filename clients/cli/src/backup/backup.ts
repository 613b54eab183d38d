import { Command, Option } from '@commander-js/extra-typings'
import { answer } from '@palisade/sdk'
import { connectToBackup } from '../connection.ts'
import { printList } from '../output.ts'
import { resourceCommand } from '../resources/resource-command.ts'
import { backup } from '../resources/resources.ts'
import { backups, run } from './backups.ts'
import { compare, verify } from './compare.ts'
import { computerCommand, pathOf, revisionOption } from './computer-command.ts'
import { computers, enrol, forgetKey, revoke } from './computers.ts'
import { history } from './history.ts'
import { hosts } from './hosts.ts'
import { removeMachine, restoreMachine } from './machines.ts'
import { mount } from './mount/mount.ts'
import { prove } from './prove.ts'
import { followRestore, restores } from './restores.ts'
import { describeVolume, revisions, sourceText, volumes } from './revisions.ts'
import { sets } from './sets.ts'
import { usage } from './usage.ts'

/** `palisade backup …`: what the backup service does for computers. */
export function backupCommand() {
  const command = new Command('backup').description('back volumes up, list them, restore them')
  for (const resource of backup) command.addCommand(resourceCommand(resource))
  return command
    .addCommand(computers())
    .addCommand(enrol())
    .addCommand(revoke())
    .addCommand(forgetKey())
    .addCommand(discover())
    .addCommand(sets())
    .addCommand(run())
    .addCommand(backups())
    .addCommand(volumes())
    .addCommand(revisions())
    .addCommand(verify())
    .addCommand(compare())
    .addCommand(restore())
    .addCommand(mount())
    .addCommand(restores())
    .addCommand(hosts())
    .addCommand(restoreMachine())
    .addCommand(removeMachine())
    .addCommand(prove())
    .addCommand(history())
    .addCommand(usage())
}

function discover() {
  return computerCommand('discover', { operations: ['discoverVolumes'], examples: ['discover'] })
    .description('list the volumes that the computer has now, asked of its agent')
    .action(async (options) => {
      printList(
        await answer(
          connectToBackup(options).GET(
            '/v2/accounts/{account_id}/computers/{computer_id}/backupsets/diskimage/volumes/browse',
            { params: { path: pathOf(options) } },
          ),
        ),
        [
          ['device', ({ deviceId }) => deviceId],
          ['drive', ({ driveLetter }) => driveLetter],
          ['label', ({ label }) => label],
          ['of', ({ source }) => source && sourceText(source)],
          ['capacity', ({ capacity }) => capacity],
          ['used', ({ usedSpace }) => usedSpace],
          ['boot', ({ isBoot }) => isBoot],
          ['supported', ({ isSupported }) => isSupported],
        ],
        options,
      )
    })
}

function restore() {
  return computerCommand('restore', {
    operations: ['restoreAsDisks', 'getRestore'],
    examples: [
      'restore --revision 12 14 --to /srv/restored',
      'restore --revision 12 --format vhd --to /srv/restored --no-wait',
    ],
  })
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
      const client = connectToBackup(options)
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
