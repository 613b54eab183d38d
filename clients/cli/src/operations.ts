import type { CommandUnknownOpts } from '@commander-js/extra-typings'

/** The OpenAPI documents of the contract. */
export type ContractDocument = 'admin' | 'awareness' | 'backup' | 'email' | 'firewall'

/** An operation, and a command that calls it. */
export interface CalledOperation {
  readonly document: ContractDocument
  /** Operation id. */
  readonly operation: string
  /** As it is typed, such as `palisade operators list`. */
  readonly command: string
}

type ReadOperations = () => Promise<readonly string[]>

const operationsOf = new WeakMap<CommandUnknownOpts, { document: ContractDocument; read: ReadOperations }[]>()

/** Notes which operations a command calls. */
export function calls(
  command: CommandUnknownOpts,
  document: ContractDocument,
  ...operations: readonly string[]
): void {
  callsListed(command, document, async () => operations)
}

/** Notes that a command calls the operations of a list. It is read when somebody asks for them, and not to run the command. */
export function callsListed(
  command: CommandUnknownOpts,
  document: ContractDocument,
  read: ReadOperations,
): void {
  operationsOf.set(command, [...(operationsOf.get(command) ?? []), { document, read }])
}

/** What a command and those below it call. */
export async function calledOperations(command: CommandUnknownOpts): Promise<CalledOperation[]> {
  const own = (operationsOf.get(command) ?? []).map(async ({ document, read }) =>
    (await read()).map((operation) => ({ document, operation, command: nameOf(command) })),
  )
  return (await Promise.all([...own, ...command.commands.map(calledOperations)])).flat()
}

/** A command as it is typed. */
export function nameOf(command: CommandUnknownOpts): string {
  return command.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name()
}
