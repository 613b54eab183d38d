import { examples } from '../api-command.ts'
import { say } from '../output.ts'
import { addressOf, namesIn, objectTitle, readKinds } from './kinds.ts'
import { managementCommand, withManagement } from './management.ts'

/** `palisade firewall delete KIND NAME…`. */
export function deleteCommand() {
  return managementCommand('delete')
    .description('delete objects, with all that lies inside them')
    .argument('<kind>', 'such as service')
    .argument('<names...>', 'shop, or shop/web1 for a server')
    .addHelpText(
      'after',
      examples(
        'palisade firewall delete service shop',
        'palisade firewall delete server shop/web1 shop/web2',
      ),
    )
    .action(async (kindName, words, _options, command) => {
      const options = command.opts()
      const kind = (await readKinds()).named(kindName)
      const all = words.map((word) => namesIn(kind, word))
      await withManagement(options, async (management) => {
        for (const names of all) {
          await management.call('DELETE', addressOf(kind, names))
          say(`${objectTitle(kind, names)} is deleted.`, options)
        }
      })
    })
}
