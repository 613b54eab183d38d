import { styleText } from 'node:util'
import {
  type AdministrationClient,
  type AdministrationSchemas,
  answer,
  eachItem,
  NotAllowed,
} from '@palisade/sdk'
import { apiCommand, examples } from '../api-command.ts'
import { connect } from '../connection.ts'
import { exitStatus, UsageError } from '../exit-status.ts'
import { calls } from '../operations.ts'
import { printList, printThing } from '../output.ts'

type System = AdministrationSchemas['schemas']['System']
type Attention = Omit<AdministrationSchemas['schemas']['Attention'], 'managedBy'>

const severities: readonly Attention['severity'][] = ['critical', 'warning', 'info']

/** `palisade status`: what runs, and what needs attention. */
export function statusCommand() {
  const command = apiCommand('status')
    .description('show what runs, and what needs attention')
    .option('--check', 'end with 1 when something critical needs attention')
    .addHelpText(
      'after',
      examples('palisade status', 'palisade status --check --quiet', 'palisade status --output json'),
    )
    .action(async ({ check, ...options }) => {
      const { administration, server } = connect(options)
      const system = await systemOf(administration)
      const attention: Attention[] = []
      for await (const one of eachItem((after) =>
        administration.GET('/attention', { params: { query: after === undefined ? {} : { after } } }),
      )) {
        attention.push(one)
      }
      attention.sort((one, other) => severities.indexOf(one.severity) - severities.indexOf(other.severity))
      if (options.quiet) printList(attention, [['id', ({ id }) => id]], options)
      else if (options.output === undefined || options.output === 'table')
        printScreen(server, system, attention)
      else printThing({ system, attention }, options)
      const critical = attention.filter(({ severity }) => severity === 'critical').length
      if (check && critical > 0) {
        throw new UsageError(
          `${critical} critical ${critical === 1 ? 'condition needs' : 'conditions need'} attention.`,
          exitStatus.failed,
        )
      }
    })
  calls(command, 'admin', 'getSystem', 'listAttentions')
  return command
}

/** How the server is; null where the grants of whoever asks show no more than what needs attention in his services. */
async function systemOf(administration: AdministrationClient): Promise<System | null> {
  try {
    return await answer(administration.GET('/system'))
  } catch (error) {
    if (error instanceof NotAllowed) return null
    throw error
  }
}

function printScreen(url: string, system: System | null, attention: readonly Attention[]): void {
  if (system === null) printThing({ server: url, state: 'told to those who may read all services' }, {})
  else printSystem(url, system)
  console.log(attention.length === 0 ? '\nNothing needs attention.' : '\nThis needs attention:')
  for (const one of attention) printAttention(one)
}

function printSystem(url: string, system: System): void {
  const { database, storage } = system
  printThing(
    {
      server: `${system.server} at ${url}`,
      version: `${system.version} on Node ${system.node}, running since ${system.startedAt}`,
      database: `${database.kind}${database.sizeBytes === null ? '' : `, ${sizeOf(database.sizeBytes)}`}`,
      storage: `${sizeOf(storage.freeBytes)} of ${sizeOf(storage.totalBytes)} free at ${storage.folder}`,
    },
    {},
  )
  console.log()
  printList(
    system.services,
    [
      ['service', ({ name }) => name],
      ['state', ({ warnings }) => warnings.map(({ message }) => message).join(' ') || 'works'],
    ],
    {},
  )
}

function printAttention({ severity, service, subject, message, since, remedy }: Attention): void {
  const colour = ({ critical: 'red', warning: 'yellow', info: 'blue' } as const)[severity]
  console.log()
  printThing({ [severity]: `${service}: ${message}`, about: subject, since, remedy }, {}, (name) =>
    name === severity ? styleText(colour, name, { stream: process.stdout }) : name,
  )
}

function sizeOf(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB']
  const power = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), units.length - 1)
  return `${(bytes / 1024 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`
}
