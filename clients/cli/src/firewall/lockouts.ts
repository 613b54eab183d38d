import { Command } from '@commander-js/extra-typings'
import { examples } from '../api-command.ts'
import { printList, say } from '../output.ts'
import { managementCommand, membersOf, objectsOf, withManagement } from './management.ts'

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
