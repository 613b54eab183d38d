import { Command, InvalidArgumentError, Option } from '@commander-js/extra-typings'

/** A command about one account. */
export function accountCommand(name: string) {
  return new Command(name)
    .addOption(
      new Option('--server <url>', 'where the services listen')
        .env('PALISADE_SERVER')
        .default('http://127.0.0.1:8080'),
    )
    .addOption(new Option('--client-id <id>', 'who is asking').env('PALISADE_CLIENT_ID'))
    .option('--client-secret-file <file>', 'a file with the secret; else PALISADE_CLIENT_SECRET')
    .requiredOption('--account <id>', 'the account')
}

/** A command about one computer of an account. */
export function computerCommand(name: string) {
  return accountCommand(name).requiredOption('--computer <id>', 'the computer')
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
export function machineCommand(name: string) {
  return computerCommand(name).addOption(revisionOption('a boot volume among them')).addOption(hostOption)
}

/** Names a computer in the server's addresses. */
export interface ComputerPath {
  readonly account_id: string
  readonly computer_id: string
}

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
function collectIntegers(text: string, previous: number[] | undefined): number[] {
  return [...(previous ?? []), positiveInteger(text)]
}
