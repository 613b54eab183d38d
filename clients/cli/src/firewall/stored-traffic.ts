import { Command } from '@commander-js/extra-typings'
import { examples } from '../api-command.ts'
import { printThing, say } from '../output.ts'
import { managementCommand, membersOf, withManagement } from './management.ts'

/** `palisade firewall stored-traffic …`: requests that a service keeps, and what would become of them. */
export function storedTrafficCommand() {
  return new Command('stored-traffic')
    .description(
      'see which requests a service keeps, and try exceptions, policies and rule sets against them',
    )
    .addCommand(show())
    .addCommand(tryOut())
    .addCommand(forget())
}

function show() {
  return managementCommand('show', 'getStoredRequests')
    .description('show how much is kept of the requests for a service, and the newest of them')
    .argument('<service>')
    .addHelpText('after', examples('palisade firewall stored-traffic show shop'))
    .action(async (service, _options, command) => {
      const options = command.opts()
      const { data } = await withManagement(options, (management) =>
        management.call('GET', addressOf(service, 'stored-requests')),
      )
      printThing(membersOf(data), options)
    })
}

function tryOut() {
  return managementCommand('try', 'tryStoredRequests')
    .description('tell which stored requests would be met otherwise')
    .argument('<service>')
    .option('--policy <name>', 'with another security policy')
    .option(
      '--rule-set <name>',
      'with other rules: a release that is installed, or a rule set that the proxy is configured with',
    )
    .option('--second-stage <state>', 'with the second stage On or Off')
    .option('--rule <number>', 'with an exception for this rule')
    .option('--url <path>', 'at which the exception would be')
    .option('--target <part>', 'what the rule would not look at, such as ARGS:comment')
    .addHelpText(
      'after',
      examples(
        'palisade firewall stored-traffic try shop --policy strict',
        'palisade firewall stored-traffic try shop --rule-set 4.20.0',
        'palisade firewall stored-traffic try shop --rule 942100 --url /comments --target ARGS:text',
      ),
    )
    .action(async (service, _options, command) => {
      const options = command.opts()
      const body = {
        policy: options.policy,
        'rule-set': options.ruleSet,
        'second-stage': options.secondStage,
        rule: options.rule,
        url: options.url,
        target: options.target,
      }
      const { data } = await withManagement(options, (management) =>
        management.call('POST', addressOf(service, 'stored-request-trials'), { body }),
      )
      printThing(membersOf(data), options)
    })
}

function forget() {
  return managementCommand('delete', 'deleteStoredRequests')
    .description('delete what is kept of the requests for a service')
    .argument('<service>')
    .addHelpText('after', examples('palisade firewall stored-traffic delete shop'))
    .action(async (service, _options, command) => {
      const options = command.opts()
      await withManagement(options, (management) =>
        management.call('DELETE', addressOf(service, 'stored-requests')),
      )
      say(`The stored requests of ${service} are deleted.`, options)
    })
}

function addressOf(service: string, collection: string): string {
  return `services/${encodeURIComponent(service)}/${collection}`
}
