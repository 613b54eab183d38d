import { Argument, Command, Option } from '@commander-js/extra-typings'
import { parse } from 'yaml'
import { examples } from '../api-command.ts'
import { printList, printThing, say } from '../output.ts'
import { printDifferences } from './checkpoints.ts'
import { readKinds } from './kinds.ts'
import { managementCommand, membersOf, objectOf, objectsOf, withManagement } from './management.ts'
import { membersIn, textOfFile } from './members.ts'

/*
 * What is done rather than kept: backups, lockouts, statistics, updates, and the description of an API.
 */

/** `palisade firewall backups …`. */
export function backupsCommand() {
  return new Command('backups')
    .description('backups of the configuration, on the machine of the server')
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
    .option('--upload', 'the file lies here, not on the machine of the server')
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

/** `palisade firewall lockouts …`. */
export function lockoutsCommand() {
  return new Command('lockouts')
    .description('clients that services do not serve for a while')
    .addCommand(
      managementCommand('list', 'listLockedOutClients')
        .description('list the clients that are locked out')
        .argument('[services...]', 'of these services; of all when left out')
        .addHelpText(
          'after',
          examples('palisade firewall lockouts list', 'palisade firewall lockouts list shop'),
        )
        .action(async (services, _options, command) => {
          const options = command.opts()
          const reply = await withManagement(options, (management) =>
            management.call('GET', 'locked-out-clients', {
              query: { services: services.join(',') || undefined },
            }),
          )
          printList(
            objectsOf(reply).flatMap(([service, clients]) =>
              Object.values(clients).map((client) => ({ service, ...membersOf(client) })),
            ),
            [
              ['client', (one) => Reflect.get(one, 'client')],
              ['service', ({ service }) => service],
              ['reason', (one) => Reflect.get(one, 'reason')],
              ['until', (one) => Reflect.get(one, 'locked-until')],
            ],
            options,
          )
        }),
    )
    .addCommand(
      managementCommand('release', 'releaseLockedOutClients')
        .description('serve clients again')
        .argument('[clients...]', 'addresses or fingerprints')
        .option('--all', 'all of them')
        .option('--service <names...>', 'at these services; at all when left out')
        .addHelpText(
          'after',
          examples(
            'palisade firewall lockouts release 192.0.2.7',
            'palisade firewall lockouts release --all --service shop',
          ),
        )
        .action(async (clients, _options, command) => {
          const options = command.opts()
          const query = {
            client: options.all ? 'all-clients' : clients.join(','),
            services: options.service?.join(','),
          }
          const { msg = '' } = await withManagement(options, (management) =>
            management.call('DELETE', 'locked-out-clients', { query }),
          )
          say(msg, options)
        }),
    )
}

const statistics = ['attack', 'http', 'response', 'ssl', 'system'] as const

/** `palisade firewall statistics [GROUP]`. */
export function statisticsCommand() {
  return managementCommand(
    'statistics',
    'getAttackStats',
    'getHttpStats',
    'getResponseStats',
    'getSslStats',
    'getSystemStats',
    'getTrafficHistory',
  )
    .description('show what the traffic and the machine count')
    .addArgument(new Argument('[group]', 'which figures').choices(statistics).default('attack' as const))
    .option('--service <name>', 'of one service')
    .option('--minutes <number>', 'of the last minutes; of all time when left out')
    .option(
      '--history <counters>',
      'these counters step by step, with commas between them, such as requests,attacks',
    )
    .option('--step-minutes <number>', 'of a history; 1 when left out')
    .option('--steps <number>', 'of a history; 60 when left out')
    .addHelpText(
      'after',
      examples(
        'palisade firewall statistics',
        'palisade firewall statistics http --service shop --minutes 60',
        'palisade firewall statistics --history requests,attacks --step-minutes 60 --steps 24',
      ),
    )
    .action(async (group, _options, command) => {
      const options = command.opts()
      const { service, history } = options
      if (history !== undefined) {
        const query = {
          service,
          counters: history,
          'step-minutes': options.stepMinutes,
          steps: options.steps,
        }
        const { data } = await withManagement(options, (management) =>
          management.call('GET', 'stats/history', { query }),
        )
        printThing(membersOf(data), options)
        return
      }
      const query = group === 'system' ? {} : { service, minutes: options.minutes }
      const reply = await withManagement(options, (management) =>
        management.call('GET', `stats/${group}-stats`, { query }),
      )
      printThing(objectOf(reply), options)
    })
}

/** `palisade firewall tasks [ID]`. */
export function tasksCommand() {
  return managementCommand('tasks', 'listRunningTasks')
    .description('list imports, rollbacks and restores that run, and what became of the last ones')
    .argument('[id]', 'one task')
    .addHelpText('after', examples('palisade firewall tasks', 'palisade firewall tasks --output json'))
    .action(async (id, _options, command) => {
      const options = command.opts()
      const reply = await withManagement(options, (management) =>
        management.call('GET', 'ops/running-tasks', { query: { job_id: id } }),
      )
      printList(
        objectsOf(reply).map(([, task]) => task),
        [
          ['id', ({ job_id }) => job_id],
          ['what', ({ operation }) => operation],
          ['state', ({ state }) => state],
          ['administrator', ({ administrator }) => administrator],
          ['started', ({ started }) => started],
          ['finished', ({ finished }) => finished],
        ],
        options,
      )
    })
}

const definitions = ['attackdef', 'geoipdef', 'secdef', 'virusdef'] as const

/** `palisade firewall rules …`: those by which requests are judged. */
export function rulesCommand() {
  return new Command('rules')
    .description('the Core Rule Set, by which requests are judged')
    .addCommand(
      managementCommand('status', 'getSystem')
        .description('show which release counts, as the management knows it')
        .addHelpText('after', examples('palisade firewall rules status'))
        .action(async (options) => {
          const reply = await withManagement(options, (management) => management.call('GET', 'system'))
          printThing({ release: objectOf(reply)['attack-definition'] || 'none is loaded' }, options)
          if ((options.output ?? 'table') === 'table') {
            say('On the machine of the server, "palisade rules" installs releases and chooses one.', options)
          }
        }),
    )
    .addCommand(
      updates(
        'check',
        'checkForUpdate',
        'check-for-update',
        'ask for an update of definitions by the API; releases of Palisade bring them',
      ),
    )
    .addCommand(updates('update', 'applyUpdate', 'apply-update', 'apply such an update'))
}

function updates(name: string, operation: string, path: string, description: string) {
  return managementCommand(name, operation)
    .description(description)
    .addHelpText('after', examples(`palisade firewall rules ${name} geoipdef`))
    .addArgument(new Argument('[definitions]', 'of what').choices(definitions).default('attackdef' as const))
    .action(async (type, _options, command) => {
      const options = command.opts()
      const { msg = '' } = await withManagement(options, (management) =>
        management.call('POST', `energize-updates/${path}`, { body: { type } }),
      )
      console.log(msg)
    })
}

const openApiSteps = ['apply', 'upload', 'apply-saved', 'download', 'delete'] as const

const openApiOperations: Readonly<Record<(typeof openApiSteps)[number], string>> = {
  apply: 'apply',
  upload: 'upload',
  'apply-saved': 'apply_saved',
  download: 'download',
  delete: 'delete_configuration',
}

/** `palisade firewall openapi STEP SERVICE`. */
export function openApiCommand() {
  return managementCommand('openapi', 'importOpenApi')
    .description('have a service accept what the description of its API allows, and nothing else')
    .addArgument(
      new Argument(
        '<step>',
        'make profiles of a document at once, or keep it, make profiles of it later, give it back, and take the profiles away',
      ).choices(openApiSteps),
    )
    .argument('<service>')
    .option('--name <name>', 'what the document is called; like the service when left out')
    .option('-f, --file <file>', 'an OpenAPI 3 or Swagger 2 document, JSON or YAML; - is standard input')
    .addHelpText(
      'after',
      examples(
        'palisade firewall openapi apply shop --file openapi.yaml',
        'palisade firewall openapi delete shop',
      ),
    )
    .action(async (step, service, _options, command) => {
      const options = command.opts()
      const body = {
        operation: openApiOperations[step],
        'service-name': service,
        'api-spec-name': options.name ?? service,
        ...(options.file === undefined ? {} : { 'import-file-content': parse(textOfFile(options.file)) }),
      }
      const { data, msg } = await withManagement(options, (management) =>
        management.call('POST', 'ops/import-openapi', { body }),
      )
      if (step === 'download') printThing(membersOf(data), { output: options.output ?? 'json' })
      else printDifferences(data, options, msg)
    })
}
