import { Command, Option } from '@commander-js/extra-typings'
import { examples } from '../api-command.ts'
import { printList, printThing } from '../output.ts'
import { printDifferences } from './checkpoints.ts'
import { readKinds } from './kinds.ts'
import { managementCommand, objectOf, objectsOf, withManagement } from './management.ts'
import { membersIn, textOfFile } from './members.ts'

/** `palisade firewall backups …`. */
export function backupsCommand() {
  return new Command('backups')
    .description('backups of the configuration, on the machine of the server or in its database')
    .addCommand(listBackups())
    .addCommand(createBackup())
    .addCommand(restoreBackup())
    .addCommand(backupKey())
    .addCommand(testDestination())
}

function listBackups() {
  return managementCommand('list', 'listBackups')
    .description('list the backups')
    .addHelpText(
      'after',
      examples('palisade firewall backups list', 'palisade firewall backups list --output json'),
    )
    .action(async (options) => {
      const reply = await withManagement(options, (management) =>
        management.call('GET', 'backup/get-remote-backup'),
      )
      printList(
        objectsOf(reply).map(([, backup]) => backup),
        [
          ['file', ({ filename }) => filename],
          ['date', ({ date }) => date],
          ['bytes', ({ size }) => size],
        ],
        options,
      )
    })
}

function keyFileOption() {
  return new Option('--key-file <file>', 'the encryption key; that of the backup settings when left out')
}

function createBackup() {
  return managementCommand('create', 'makeBackup')
    .description('write a backup')
    .option(
      '--encrypt',
      'with a key, so that another installation can restore it; as the backup settings say when left out',
    )
    .addOption(keyFileOption())
    .addHelpText(
      'after',
      examples(
        'palisade firewall backups create',
        'palisade firewall backups create --encrypt --key-file backup.key',
      ),
    )
    .action(async (_options, command) => {
      const options = command.opts()
      const body = {
        destination: 'Local',
        ...(options.encrypt ? { 'encrypt-backup': 'Yes' } : {}),
        ...keyIn(options.keyFile),
      }
      const reply = await withManagement(options, (management) =>
        management.call('PUT', 'backup/manual-backup', { body }),
      )
      printThing({ file: reply.filename }, options)
    })
}

function restoreBackup() {
  return managementCommand('restore', 'restoreBackup')
    .description('make the configuration what a backup says')
    .argument('<file>', 'as the list shows it, or a file here with --upload')
    .option('--upload', 'the file lies here, and the list does not have it')
    .option('--dry-run', 'show what would be changed, and change nothing')
    .option('--skip-sealed-secrets', 'leave secrets that another installation has sealed as they are now')
    .addOption(keyFileOption())
    .addHelpText(
      'after',
      examples(
        'palisade firewall backups restore configuration-20300108T030000000Z-v1.backup --dry-run',
        'palisade firewall backups restore shop.backup --upload --key-file backup.key',
      ),
    )
    .action(async (file, _options, command) => {
      const options = command.opts()
      const body = {
        source: 'Local',
        ...(options.upload ? { 'file-content': textOfFile(file, 'base64') } : { filename: file }),
        'dry-run': options.dryRun ? 'Yes' : 'No',
        'skip-sealed-secrets': options.skipSealedSecrets ? 'Yes' : 'No',
        ...keyIn(options.keyFile),
      }
      const { data, msg } = await withManagement(options, (management) =>
        management.call('POST', 'backup/restore-backup', { body }),
      )
      printDifferences(data, options, msg)
    })
}

function backupKey() {
  return managementCommand('key', 'generateBackupKey')
    .description('make a new random key for encrypted backups; it is kept nowhere')
    .addHelpText('after', examples('palisade firewall backups key > backup.key'))
    .action(async (options) => {
      const reply = await withManagement(options, (management) =>
        management.call('GET', 'backup/generate-encryptionkey'),
      )
      console.log(objectOf(reply)['backup-encryption-key'])
    })
}

function testDestination() {
  return managementCommand('test', 'testBackupConnection')
    .description('find out whether the destination of backups can be reached')
    .argument(
      '[field=value...]',
      'settings in the place of those that are kept, such as smb-address=192.0.2.9',
    )
    .requiredOption('--destination <type>', 'FTP, FTPS, SMB, "Amazon S3", "Azure Blob" or Cloud')
    .addHelpText(
      'after',
      examples(
        'palisade firewall backups test --destination FTP',
        'palisade firewall backups test --destination SMB smb-address=192.0.2.9',
      ),
    )
    .action(async (pairs, _options, command) => {
      const options = command.opts()
      const kind = (await readKinds()).named('configuration-backup')
      const body = {
        source: options.destination,
        ...membersIn(pairs, kind.fields, 'the backup settings'),
      }
      const { msg = '' } = await withManagement(options, (management) =>
        management.call('PUT', 'backup/test-connection', { body }),
      )
      console.log(msg)
    })
}

function keyIn(file: string | undefined): object {
  return file === undefined ? {} : { 'backup-encryption-key': textOfFile(file).trim() }
}
