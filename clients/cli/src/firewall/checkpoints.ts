import { Command } from '@commander-js/extra-typings'
import { examples } from '../api-command.ts'
import { confirmAtTerminal } from '../login/ask.ts'
import { cell, type OutputOptions, printList, printThing, say } from '../output.ts'
import { yesOption } from './deletion.ts'
import { managementCommand, membersOf, objectOf, objectsOf, withManagement } from './management.ts'

const collection = 'configuration-checkpoints'

/** `palisade firewall checkpoints …`: states of the configuration that are kept. */
export function checkpointsCommand() {
  return new Command('checkpoints')
    .description('keep the configuration as it is, see what has changed since, and go back')
    .addCommand(list())
    .addCommand(show())
    .addCommand(create())
    .addCommand(diff())
    .addCommand(rollback())
    .addCommand(remove())
}

function list() {
  return managementCommand('list', 'listCheckpoints')
    .description('list the checkpoints')
    .addHelpText('after', examples('palisade firewall checkpoints list'))
    .action(async (options) => {
      const reply = await withManagement(options, (management) => management.call('GET', collection))
      printList(
        objectsOf(reply).map(([, checkpoint]) => checkpoint),
        [
          ['name', ({ name }) => name],
          ['date', ({ date }) => date],
          ['administrator', ({ administrator }) => administrator],
          ['automatic', ({ automatic }) => automatic],
          ['comment', ({ comment }) => comment],
        ],
        options,
      )
    })
}

function show() {
  return managementCommand('show', 'readCheckpoint')
    .description('show one checkpoint')
    .argument('<name>')
    .addHelpText('after', examples('palisade firewall checkpoints show before-sale'))
    .action(async (name, _options, command) => {
      const options = command.opts()
      const reply = await withManagement(options, (management) => management.call('GET', addressOf(name)))
      printThing(objectOf(reply), options)
    })
}

function create() {
  return managementCommand('create', 'createCheckpoint')
    .description('keep the configuration as it is now')
    .argument('<name>')
    .option('--comment <text>', 'why')
    .addHelpText(
      'after',
      examples('palisade firewall checkpoints create before-sale --comment "Before the sale"'),
    )
    .action(async (name, _options, command) => {
      const options = command.opts()
      const body = { name, ...(options.comment === undefined ? {} : { comment: options.comment }) }
      await withManagement(options, (management) => management.call('POST', collection, { body }))
      say(`The checkpoint ${name} is made.`, options)
    })
}

function diff() {
  return managementCommand('diff', 'readCheckpointDifferences')
    .description('show what has changed since a checkpoint')
    .argument('<name>')
    .argument('[other]', 'another checkpoint, in the place of the configuration of now')
    .addHelpText(
      'after',
      examples(
        'palisade firewall checkpoints diff before-sale',
        'palisade firewall checkpoints diff before-sale after-sale',
      ),
    )
    .action(async (name, other, _options, command) => {
      const options = command.opts()
      const { data } = await withManagement(options, (management) =>
        management.call('GET', `${addressOf(name)}/differences`, { query: { with: other } }),
      )
      printDifferences(data, options)
    })
}

function rollback() {
  return managementCommand('rollback', 'rollBackToCheckpoint')
    .description('make the configuration what it was at a checkpoint')
    .argument('<name>')
    .option('--dry-run', 'show what would be changed, and change nothing')
    .option('--skip-sealed-secrets', 'leave secrets that cannot be opened as they are now')
    .addHelpText(
      'after',
      examples(
        'palisade firewall checkpoints rollback before-sale --dry-run',
        'palisade firewall checkpoints rollback before-sale',
      ),
    )
    .action(async (name, _options, command) => {
      const options = command.opts()
      const body = {
        'dry-run': options.dryRun ? 'Yes' : 'No',
        'skip-sealed-secrets': options.skipSealedSecrets ? 'Yes' : 'No',
      }
      const { data, msg } = await withManagement(options, (management) =>
        management.call('POST', `${addressOf(name)}/rollback`, { body }),
      )
      printDifferences(data, options, msg)
    })
}

function remove() {
  return managementCommand('delete', 'deleteCheckpoint')
    .description('delete a checkpoint')
    .argument('<name>')
    .addOption(yesOption())
    .addHelpText('after', examples('palisade firewall checkpoints delete before-sale'))
    .action(async (name, _options, command) => {
      const options = command.opts()
      await confirmAtTerminal(options, () => `Delete the checkpoint ${name}? Nothing takes this back.`)
      await withManagement(options, (management) => management.call('DELETE', addressOf(name)))
      say(`The checkpoint ${name} is deleted.`, options)
    })
}

function addressOf(name: string): string {
  return `${collection}/${encodeURIComponent(name)}`
}

/**
 * What a reply of the management tells of changes: for people as lines, with what it says behind them.
 *
 * @param msg of the reply
 */
export function printDifferences(data: unknown, options: OutputOptions, msg?: string): void {
  const members = membersOf(data)
  if ((options.output ?? 'table') !== 'table') {
    printThing(members, options)
    return
  }
  const signs = { added: '+', changed: '~', removed: '-' }
  for (const [list, sign] of Object.entries(signs)) {
    for (const one of listOf(members[list])) {
      const { kind, path, changes } = membersOf(one)
      console.log(cell(`${sign} ${kind} ${listOf(path).join('/')}`))
      for (const change of listOf(changes)) {
        const { section, member, old, new: to } = membersOf(change)
        const name = [section, member].filter((word) => word !== undefined).join(' ')
        console.log(cell(`    ${name}: ${JSON.stringify(old)} -> ${JSON.stringify(to)}`))
      }
    }
  }
  if (msg !== undefined) say(msg, options)
}

/** A list, or an empty one where something else stands. */
function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
