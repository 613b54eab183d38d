import type { BackupClient, ComputerPath } from '@palisade/sdk'
import { connectToBackup } from '../connection.ts'
import { type Columns, type OutputOptions, printList, printThing, say } from '../output.ts'
import { computerCommand, groupCommand, pathOf, positiveInteger } from './computer-command.ts'
import { follow, type TaskRecord } from './follow.ts'
import { type NumberedPage, newest } from './newest.ts'
import { readPatiently } from './patient-read.ts'
import { type Outcome, report } from './replies.ts'

/** What backups and restores, as a list has them, have in common. */
interface ListedTask {
  readonly id: string
  readonly state: string
  readonly percent: number
  readonly started: string | null
  readonly ended: string | null
  readonly error: { readonly code: string; readonly message: string } | null
}

/** What differs between backups and restores. */
export interface TaskKind<Task extends ListedTask & TaskRecord> {
  readonly title: 'backup' | 'restore'
  /** Ids of the operations that are called. */
  readonly operations: { readonly list: string; readonly read: string; readonly cancel: string }
  list(client: BackupClient, path: ComputerPath, query: NumberedPage): Promise<readonly Task[]>
  read(client: BackupClient, path: ComputerPath, id: string): Promise<Task>
  cancel(client: BackupClient, path: ComputerPath, id: string): Promise<unknown>
  /** What becomes of one that is cancelled: "it leaves no revision". */
  readonly whenCancelled: string
  /** Columns of lists that the other kind does not have. */
  readonly columns: Columns<Task>
  /** What is said of one that succeeded. */
  outcome(task: Task): Outcome
}

const exampleId = '0d9d3c7e-52a7-4d0b-9a43-5a1c9b0d8e22'

/** The commands about tasks of one kind that were asked for, under way or not: list, show, follow, cancel. */
export function taskCommands<Task extends ListedTask & TaskRecord>(kind: TaskKind<Task>) {
  return groupCommand(`${kind.title}s`, `${kind.title}s of a computer: list, show, follow, cancel`)
    .addCommand(list(kind), { isDefault: true })
    .addCommand(show(kind))
    .addCommand(watch(kind))
    .addCommand(cancel(kind))
}

/**
 * Shows the progress of a task until it has ended, and what has come of it.
 *
 * @throws UsageError that says why it failed
 */
export async function watchTask<Task extends ListedTask & TaskRecord>(
  kind: TaskKind<Task>,
  client: BackupClient,
  path: ComputerPath,
  id: string,
  options: OutputOptions,
): Promise<void> {
  const { title } = kind
  const waiting = { title, again: `${title}s follow ${id}`, path, outlivesServer: true }
  const ended = await follow(title, () => readPatiently(() => kind.read(client, path, id), waiting), options)
  report(ended, kind.outcome(ended), options)
}

function list<Task extends ListedTask & TaskRecord>(kind: TaskKind<Task>) {
  const { title, operations, columns } = kind
  return computerCommand('list', { operations: [operations.list], examples: [`${title}s list --limit 20`] })
    .description(`list ${title}s, newest first`)
    .option('--limit <number>', 'how many', positiveInteger, 100)
    .action(async (options) => {
      const client = connectToBackup(options)
      const path = pathOf(options)
      const listed = await newest(options.limit, (query) => kind.list(client, path, query))
      printList(
        listed,
        [
          ['id', ({ id }) => id],
          ['state', ({ state }) => state],
          ['percent', ({ percent }) => percent],
          ['started', ({ started }) => started],
          ['ended', ({ ended }) => ended],
          ...columns,
          ['error', ({ error }) => error?.message],
        ],
        options,
      )
    })
}

function show<Task extends ListedTask & TaskRecord>({ title, operations, read }: TaskKind<Task>) {
  return computerCommand('show', {
    operations: [operations.read],
    examples: [`${title}s show ${exampleId}`],
  })
    .description(`show one ${title}`)
    .argument(`<${title}>`, 'its id')
    .action(async (id, options) => {
      printThing(await read(connectToBackup(options), pathOf(options), id), options)
    })
}

function watch<Task extends ListedTask & TaskRecord>(kind: TaskKind<Task>) {
  const { title, operations } = kind
  return computerCommand('follow', {
    operations: [operations.read],
    examples: [`${title}s follow ${exampleId}`],
  })
    .description(`show the progress of a ${title} until it has ended`)
    .argument(`<${title}>`, 'its id')
    .action((id, options) => watchTask(kind, connectToBackup(options), pathOf(options), id, options))
}

function cancel<Task extends ListedTask & TaskRecord>(kind: TaskKind<Task>) {
  const { title, operations, whenCancelled } = kind
  return computerCommand('cancel', {
    operations: [operations.cancel],
    examples: [`${title}s cancel ${exampleId}`],
  })
    .description(`end a ${title}; ${whenCancelled}`)
    .argument(`<${title}>`, 'its id')
    .action(async (id, options) => {
      await kind.cancel(connectToBackup(options), pathOf(options), id)
      const name = `${title[0]?.toUpperCase()}${title.slice(1)}`
      say(`${name} ${id} is being cancelled.`, options)
    })
}
