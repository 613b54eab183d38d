import { Argument } from '@commander-js/extra-typings'
import { examples } from '../api-command.ts'
import { printThing } from '../output.ts'
import { managementCommand, membersOf, objectOf, withManagement } from './management.ts'

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
