import { Command } from '@commander-js/extra-typings'
import { examples } from '../api-command.ts'
import { type OutputOptions, printList, printThing, say } from '../output.ts'
import { printDifferences } from './checkpoints.ts'
import {
  type ManagementOptions,
  managementCommand,
  membersOf,
  objectOf,
  objectsOf,
  withManagement,
} from './management.ts'

/*
 * What the firewall has learnt of the traffic and proposes. Nothing of it counts before somebody accepts it.
 */

/** `palisade firewall exceptions …`: rules that do not run for one part of a request. */
export function exceptionsCommand() {
  return new Command('exceptions')
    .description('see which rules refuse harmless requests, and have them pass, or not be proposed again')
    .addCommand(listExceptions())
    .addCommand(
      show(
        'exceptions',
        'getRuleExceptionProposal',
        'rule-exception-proposals',
        'show what an exception would let through, with the requests that were seen',
      ),
    )
    .addCommand(acceptException())
    .addCommand(explain())
    .addCommand(smallest())
    .addCommand(replay())
    .addCommand(rejectException())
}

/** `palisade firewall profiles …`: what good requests look like. */
export function profilesCommand() {
  return new Command('profiles')
    .description('see what was learnt of requests, and make profiles of it')
    .addCommand(listProfiles())
    .addCommand(
      show(
        'profiles',
        'getProfileProposal',
        'profile-proposals',
        'show a profile, with what was learnt of each parameter',
      ),
    )
    .addCommand(acceptProfile())
    .addCommand(forget())
}

function listExceptions() {
  return managementCommand('list', 'listRuleExceptionProposals')
    .description('list exceptions that would have let refused requests through')
    .argument('<service>')
    .option('--rejected', 'those that were rejected, in the place of all others')
    .addHelpText('after', examples('palisade firewall exceptions list shop'))
    .action(async (service, _options, command) => {
      const options = command.opts()
      await printProposals(options, {
        address: addressOf(service, 'rule-exception-proposals'),
        query: options.rejected ? { rejected: 'Yes' } : {},
        fields: ['url', 'rule', 'target', 'requests', 'clients', 'evidence', 'speaks-against', 'accepted'],
      })
    })
}

function listProfiles() {
  return managementCommand('list', 'listProfileProposals')
    .description('list profiles that were learnt')
    .argument('<service>')
    .addHelpText('after', examples('palisade firewall profiles list shop'))
    .action(async (service, _options, command) => {
      await printProposals(command.opts(), {
        address: addressOf(service, 'profile-proposals'),
        query: {},
        fields: ['url', 'allowed-methods', 'requests', 'clients', 'evidence', 'accepted'],
      })
    })
}

/** Prints the proposals at an address, with these of their fields. */
async function printProposals(
  options: ManagementOptions & OutputOptions,
  {
    address,
    query,
    fields,
  }: {
    readonly address: string
    readonly query: Readonly<Record<string, string>>
    readonly fields: readonly string[]
  },
): Promise<void> {
  const reply = await withManagement(options, (management) => management.call('GET', address, { query }))
  printList(
    objectsOf(reply).map(([, proposal]) => proposal),
    [
      ['id', ({ id }) => id],
      ...fields.map((field) => [field, (one: Proposal) => textOf(one[field])] as const),
    ],
    options,
  )
}

type Proposal = Readonly<Record<string, unknown>>

function textOf(value: unknown): unknown {
  return Array.isArray(value) ? value.join('\n') : value
}

/** @param group the command that this one stands below */
function show(group: string, operation: string, collection: string, what: string) {
  return managementCommand('show', operation)
    .description(what)
    .argument('<service>')
    .argument('<id>', 'as the list shows it')
    .addHelpText('after', examples(`palisade firewall ${group} show shop 8d92cb0eab9f192d`))
    .action(async (service, id, _options, command) => {
      const options = command.opts()
      const reply = await withManagement(options, (management) =>
        management.call('GET', addressOf(service, collection, id)),
      )
      printThing(objectOf(reply), options)
    })
}

function acceptException() {
  return managementCommand('accept', 'acceptRuleExceptionProposal')
    .description('create exceptions that are proposed')
    .argument('<service>')
    .argument('<ids...>', 'as the list shows them')
    .option('--comment <text>', 'why; told in the exception')
    .addHelpText(
      'after',
      examples('palisade firewall exceptions accept shop 8d92cb0eab9f192d --comment "Search takes any text"'),
    )
    .action(async (service, ids, _options, command) => {
      const options = command.opts()
      await withManagement(options, async (management) => {
        for (const id of ids) {
          const { id: name } = await management.call(
            'POST',
            addressOf(service, 'rule-exception-proposals', id),
            {
              body: options.comment === undefined ? {} : { comments: options.comment },
            },
          )
          say(
            `The rule-exception ${service}/${name} is created. "palisade firewall delete rule-exception ${service}/${name}" takes it back.`,
            options,
          )
        }
      })
    })
}

function explain() {
  return managementCommand('explain', 'getRefusedRequest')
    .description('tell why a request was refused, and which exceptions would let it through')
    .argument('<request>', 'the id on the page that its client was shown, or the request-id of a log entry')
    .addHelpText('after', examples('palisade firewall exceptions explain 19b9b4b2f8e'))
    .action(async (request, _options, command) => {
      const options = command.opts()
      const reply = await withManagement(options, (management) =>
        management.call('GET', `refused-requests/${encodeURIComponent(request)}`),
      )
      printThing(objectOf(reply), options)
    })
}

function smallest() {
  return managementCommand('smallest', 'findSmallestException')
    .description(
      'find the smallest exception with which a refused request passes, and what else it would let through',
    )
    .argument('<request>', 'the id on the page that its client was shown, or the request-id of a log entry')
    .option('--apply', 'create it')
    .option('--comment <text>', 'why; told in the exception')
    .addHelpText('after', examples('palisade firewall exceptions smallest 19b9b4b2f8e --apply'))
    .action(async (request, _options, command) => {
      const options = command.opts()
      const { data } = await withManagement(options, (management) =>
        management.call('POST', `refused-requests/${encodeURIComponent(request)}/smallest-exception`, {
          body: {
            ...(options.apply ? { apply: 'Yes' } : {}),
            ...(options.comment === undefined ? {} : { comments: options.comment }),
          },
        }),
      )
      printThing(membersOf(data), options)
    })
}

function replay() {
  return managementCommand('replay', 'replayRuleExceptions')
    .description('list the requests of the log that proposed exceptions would have let through')
    .argument('<service>')
    .argument('<ids...>', 'as the list shows them')
    .addHelpText('after', examples('palisade firewall exceptions replay shop 8d92cb0eab9f192d'))
    .action(async (service, ids, _options, command) => {
      const options = command.opts()
      const { data } = await withManagement(options, (management) =>
        management.call('GET', addressOf(service, 'rule-exception-replay'), {
          query: { exceptions: ids.join(',') },
        }),
      )
      const outcome = membersOf(data)
      const requests = Array.isArray(outcome.requests) ? outcome.requests.map(membersOf) : []
      printList(
        requests,
        [
          ['id', ({ id }) => id],
          ...['time', 'client-ip', 'method', 'url', 'rules', 'attack-detail'].map(
            (field) => [field, (one: Proposal) => textOf(one[field])] as const,
          ),
        ],
        options,
      )
      const { since, clients } = outcome
      say(
        `${outcome['requests-let-through']} of the ${outcome['requests-refused']} requests that were refused since ${since}, of ${clients} clients.`,
        options,
      )
    })
}

function rejectException() {
  return managementCommand('reject', 'rejectRuleExceptionProposal')
    .description('have exceptions listed no more; they can still be accepted')
    .argument('<service>')
    .argument('<ids...>', 'as the list shows them')
    .addHelpText('after', examples('palisade firewall exceptions reject shop 8d92cb0eab9f192d'))
    .action(async (service, ids, _options, command) => {
      const options = command.opts()
      await withManagement(options, async (management) => {
        for (const id of ids) {
          await management.call('DELETE', addressOf(service, 'rule-exception-proposals', id))
          say(`The proposal ${id} is rejected.`, options)
        }
      })
    })
}

function acceptProfile() {
  return managementCommand('accept', 'acceptProfileProposal', 'acceptProfileProposals')
    .description('create profiles that are proposed: those named, or all for which there is enough evidence')
    .argument('<service>')
    .argument('[ids...]', 'as the list shows them; all with enough evidence when left out')
    .option('--comment <text>', 'why; told in what is created')
    .option('--second-opinions', 'create second opinions for the parameters in which people write, too')
    .option('--no-profiles', 'create second opinions alone')
    .addHelpText(
      'after',
      examples(
        'palisade firewall profiles accept shop',
        'palisade firewall profiles accept shop 8d92cb0eab9f192d --second-opinions',
      ),
    )
    .action(async (service, ids, _options, command) => {
      const options = command.opts()
      const body = {
        ...(options.comment === undefined ? {} : { comments: options.comment }),
        profiles: options.profiles ? 'Yes' : 'No',
        'second-opinions': options.secondOpinions || !options.profiles ? 'Yes' : 'No',
      }
      await withManagement(options, async (management) => {
        for (const id of ids.length > 0 ? ids : [undefined]) {
          const { data, msg } = await management.call('POST', addressOf(service, 'profile-proposals', id), {
            body,
          })
          if (!options.quiet) printDifferences(data, options, msg)
        }
      })
    })
}

function forget() {
  return managementCommand('forget', 'forgetProfileProposals')
    .description('forget what was learnt of requests to a service')
    .argument('<service>')
    .addHelpText('after', examples('palisade firewall profiles forget shop'))
    .action(async (service, _options, command) => {
      const options = command.opts()
      await withManagement(options, (management) =>
        management.call('DELETE', addressOf(service, 'profile-proposals')),
      )
      say(`What was learnt of ${service} is forgotten.`, options)
    })
}

function addressOf(service: string, collection: string, id?: string): string {
  return ['services', service, collection, ...(id === undefined ? [] : [id])]
    .map(encodeURIComponent)
    .join('/')
}
