import { answer, type BackupClient, type BackupSchemas, type ComputerPath, errorOf } from '@palisade/sdk'
import type { OutputOptions } from '../output.ts'
import { follow } from './follow.ts'
import { readPatiently } from './patient-read.ts'
import { report, reportStart } from './replies.ts'
import { describeVolume, sourceText } from './revisions.ts'
import { type TaskKind, taskCommands } from './task-commands.ts'

type Restore = BackupSchemas['schemas']['Restore']

const kind: TaskKind<Restore> = {
  title: 'restore',
  operations: { list: 'listRestores', read: 'getRestore', cancel: 'cancelRestore' },
  list: (client, path, query) =>
    answer(
      client.GET('/v2/accounts/{account_id}/computers/{computer_id}/restores', { params: { path, query } }),
    ),
  read: (client, path, id) =>
    answer(
      client.GET('/v2/accounts/{account_id}/computers/{computer_id}/restores/{id}', {
        params: { path: { ...path, id } },
      }),
    ),
  cancel: (client, path, id) =>
    answer(
      client.POST('/v2/accounts/{account_id}/computers/{computer_id}/restores/{id}/cancel', {
        params: { path: { ...path, id } },
      }),
    ),
  whenCancelled: 'what it has written goes',
  columns: [
    ['of', ({ volumes }) => volumes.map(({ source }) => sourceText(source)).join(', ')],
    ['to', ({ destination, machine, served }) => machine?.name ?? served?.socketPath ?? destination.path],
  ],
  outcome: ({ id, volumes, files }) => ({
    text: [...volumes.map(describeVolume), ...files].join('\n'),
    name: id,
  }),
}

/** The reply to a request that starts a restore. */
interface Started {
  readonly response: Response
  readonly error?: unknown
}

/**
 * Says that a restore has started, or shows its progress until it has ended and then its result.
 *
 * @param options.wait whether it is waited for
 * @param options.title what it is called; a restore when left out
 * @param resultOf what is printed of one that succeeded
 * @returns the restore as it ended; undefined when it is not waited for
 */
export async function followRestore(
  client: BackupClient,
  path: ComputerPath,
  { response, error }: Started,
  options: OutputOptions & { readonly wait: boolean; readonly title?: string },
  resultOf: (restore: Restore) => string,
): Promise<Restore | undefined> {
  const { title = 'restore' } = options
  const id = response.headers.get('x-restore-id')
  if (id === null) throw errorOf(response, error)
  if (!options.wait) {
    reportStart(title, id, options)
    return undefined
  }
  const waiting = { title, again: `restores follow ${id}`, path, outlivesServer: true }
  const ended = await follow(title, () => readPatiently(() => kind.read(client, path, id), waiting), options)
  report(ended, { text: resultOf(ended), name: id }, options)
  return ended
}

/** `palisade backup restores`: those that were asked for, under way or not. */
export function restores() {
  return taskCommands(kind)
}
