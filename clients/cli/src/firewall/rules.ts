import { Argument, Command } from '@commander-js/extra-typings'
import { examples } from '../api-command.ts'
import { printThing, say } from '../output.ts'
import { managementCommand, objectOf, withManagement } from './management.ts'

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
