import { answer, type BackupSchemas, enrolmentCommand, readOwnCertificate } from '@palisade/sdk'
import { apiCommand, examples } from '../api-command.ts'
import { connect, connectToBackup } from '../connection.ts'
import { calls } from '../operations.ts'
import { printEach, printList, printThing, say } from '../output.ts'
import { columnsOf } from '../readable.ts'
import { resourceClient } from '../resources/placement.ts'
import { addChanges } from '../resources/resource-command.ts'
import { backupComputers } from '../resources/resources.ts'
import { accountCommand, computerCommand, groupCommand, pathOf } from './computer-command.ts'

type Computer = BackupSchemas['schemas']['Computer']

/** `palisade backup computers`: listed and shown as the backup API does, to API clients too; changed by operators. */
export function computers() {
  const command = groupCommand('computers', backupComputers.description)
    .addCommand(list(), { isDefault: true })
    .addCommand(show())
  addChanges(command, backupComputers)
  return command
}

function list() {
  const command = accountCommand('list', {
    operations: ['listComputers'],
    examples: ['computers list', 'computers list --deleted'],
  })
    .description('list the computers of an account')
    .option('--deleted', 'those that were deleted and can be taken back; operators alone see them')
    .action(async (options) => {
      if (options.deleted) {
        const { account } = options
        const client = await resourceClient(connect(options), backupComputers.path, { account })
        await printEach(client.list({ deleted: 'true' }), columnsOf(backupComputers.columns), options)
        return
      }
      const client = connectToBackup(options)
      const rows: readonly Computer[] = await answer(
        client.GET('/v2/accounts/{account_id}/computers', {
          params: { path: { account_id: options.account } },
        }),
      )
      printList(
        rows,
        [
          ['id', ({ id }) => id],
          ['name', ({ name }) => name],
          ['online', ({ online }) => online],
          ['last seen', ({ lastSeen }) => lastSeen ?? 'never'],
          ['agent', ({ agentVersion }) => agentVersion],
          ['end to end', ({ endToEnd }) => endToEnd],
        ],
        options,
      )
    })
  calls(command, 'admin', 'listComputers')
  return command
}

function show() {
  return computerCommand('show', { operations: ['getComputer'], examples: ['computers show'] })
    .description('show one computer')
    .action(async (options) => {
      const client = connectToBackup(options)
      const path = pathOf(options)
      const computer = await answer(
        client.GET('/v2/accounts/{account_id}/computers/{computer_id}', { params: { path } }),
      )
      printThing(computer, options)
    })
}

/** `palisade backup revoke`: after a credential may have been stolen. */
export function revoke() {
  return computerCommand('revoke', { operations: ['revokeCredential'], examples: ['revoke'] })
    .description("shut the computer's agent out at once; a new enrolment key lets one in again")
    .action(async (options) => {
      const client = connectToBackup(options)
      await answer(
        client.DELETE('/v2/accounts/{account_id}/computers/{computer_id}/credential', {
          params: { path: pathOf(options) },
        }),
      )
      say(`The agent of ${options.computer} is shut out.`, options)
    })
}

/** `palisade backup forget-key`: lets the owner of a computer choose another end-to-end key. */
export function forgetKey() {
  return computerCommand('forget-key', { operations: ['forgetEndToEndKey'], examples: ['forget-key'] })
    .description('let the next backups be sealed with another end-to-end key, or with none')
    .action(async (options) => {
      const client = connectToBackup(options)
      await answer(
        client.DELETE('/v2/accounts/{account_id}/computers/{computer_id}/end-to-end-key', {
          params: { path: pathOf(options) },
        }),
      )
      say(`The next backups of ${options.computer} may have another key.`, options)
    })
}

/** `palisade backup enrol`: from nothing to the command that makes a computer's agent known. */
export function enrol() {
  const command = apiCommand('enrol')
    .description(
      'add a computer where it is not there yet, make an enrolment key for its agent, and print the command to run there',
    )
    .requiredOption('--account <id>', 'the account, which is added where it is not there yet')
    .requiredOption('--computer <id>', 'the computer')
    .option('--name <name>', 'what a new computer is called; its id when left out')
    .addHelpText('after', examples('palisade backup enrol --account acme --computer 0001 --name files01'))
    .action(async (options) => {
      const { account, computer, name = computer } = options
      const { administration, server, fetch } = connect(options)
      const certificate = await readOwnCertificate(server, fetch)
      const ofAccount = { params: { path: { account } } }
      const ofComputer = { params: { path: { account, computer } } }
      const before = await administration.GET('/backup/accounts/{account}/computers/{computer}', ofComputer)
      let enrolmentKey: string
      if (before.response.ok) {
        const renewed = administration.POST(
          '/backup/accounts/{account}/computers/{computer}/enrolment-key',
          ofComputer,
        )
        enrolmentKey = (await answer(renewed)).enrolmentKey
      } else {
        const { response } = await administration.GET('/backup/accounts/{account}', ofAccount)
        if (response.status === 404)
          await answer(administration.POST('/backup/accounts', { body: { id: account } }))
        const creation = administration.POST('/backup/accounts/{account}/computers', {
          ...ofAccount,
          body: { id: computer, name },
        })
        enrolmentKey = (await answer(creation)).enrolmentKey
      }
      const commandLine = enrolmentCommand({ server, account, computer, enrolmentKey, certificate })
      if (options.output !== undefined && options.output !== 'table')
        printThing({ account, computer, enrolmentKey, command: commandLine }, options)
      else if (options.quiet) console.log(commandLine)
      else console.log(`Run this on the computer, as root. The key is shown this once.\n\n  ${commandLine}`)
    })
  calls(
    command,
    'admin',
    'getBackupAccount',
    'createBackupAccount',
    'getComputer',
    'createComputer',
    'enrolmentKeyOfComputer',
  )
  return command
}
