import { Command, InvalidArgumentError, Option } from '@commander-js/extra-typings'
import type { ComputerPath } from '@palisade/sdk'
import { apiCommand, examples } from '../api-command.ts'
import { calls } from '../operations.ts'

/** A command that has others below it. */
export function groupCommand(name: string, description: string) {
  return new Command(name).description(description)
}

/** What the help and the list of called operations tell of a command. */
export interface CommandFacts {
  /** Ids of the operations of the backup API that it calls. */
  readonly operations: readonly string[]
  /** Command lines behind `palisade backup`, without the options that name the account and the computer. */
  readonly examples: readonly [string, ...string[]]
}

/** A command about one account of the backup service. An API client of that service may ask, too. */
export function accountCommand(name: string, facts: CommandFacts) {
  return commandAt(name, facts, '--account acme')
}

/** @param place options of examples that name the account, and the computer where there is one */
function commandAt(name: string, { operations, examples: lines }: CommandFacts, place: string) {
  const command = apiCommand(name)
    .addOption(
      new Option('--client-id <id>', 'an API client that asks instead of an operator').env(
        'PALISADE_CLIENT_ID',
      ),
    )
    .option('--client-secret-file <file>', 'a file with its secret; else PALISADE_CLIENT_SECRET')
    .requiredOption('--account <id>', 'the account')
    .addHelpText('after', examples(...lines.map((line) => `palisade backup ${line} ${place}`)))
  calls(command, 'backup', 'requestAccessToken', ...operations)
  return command
}

/** A command about one computer of an account. */
export function computerCommand(name: string, facts: CommandFacts) {
  return commandAt(name, facts, '--account acme --computer 0001').requiredOption(
    '--computer <id>',
    'the computer',
  )
}

/** Chooses one of the hypervisors that a computer's agent reaches. */
export const hostOption = new Option(
  '--host <name>',
  "a hypervisor that the agent knows by this name; its machine's own when left out",
)

/** Chooses revisions, at least one. @param which what they have to be */
export function revisionOption(which: string) {
  return new Option(
    '--revision <ids...>',
    `ids of revisions, ${which}, such as 12 14; "palisade backup volumes" and "palisade backup revisions" list them`,
  )
    .argParser(collectIntegers)
    .makeOptionMandatory()
}

/** A command that makes a machine of revisions, on a hypervisor. */
export function machineCommand(name: string, { operations, examples: lines }: CommandFacts) {
  const facts = { operations: [...machineOperations, ...operations], examples: lines }
  return computerCommand(name, facts)
    .addOption(revisionOption('a boot volume among them'))
    .addOption(hostOption)
}

/** Those that every way to a machine calls (choose-host.ts, and machine-request.ts of the SDK). */
const machineOperations = [
  'createHostSession',
  'registerLocalHost',
  'registerRemoteHost',
  'getHostSettings',
  'getHostCapabilities',
  'getHardwareConfiguration',
  'restoreAsMachine',
  'getRestore',
]

/** The computer that a command line names. */
export function pathOf(options: { account: string; computer: string }): ComputerPath {
  return { account_id: options.account, computer_id: options.computer }
}

/** A value of a command line that has to be a whole number from 1 on. */
export function positiveInteger(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1 on.')
  return Number(text)
}

/** The same for an option that may be repeated. */
export function collectIntegers(text: string, previous: number[] | undefined): number[] {
  return [...(previous ?? []), positiveInteger(text)]
}
