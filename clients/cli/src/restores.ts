import type { BackupClient } from '@palisade/sdk'
import type { ComputerPath } from './computer-command.ts'
import { UsageError } from './connection.ts'
import { follow } from './follow.ts'
import { answer, describe, report } from './replies.ts'

type Restore = Awaited<ReturnType<typeof readRestore>>

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
  options: { readonly wait: boolean; readonly title?: string },
  resultOf: (restore: Restore) => string,
): Promise<Restore | undefined> {
  const { title = 'restore' } = options
  const id = response.headers.get('x-restore-id')
  if (error !== undefined || id === null) throw new UsageError(describe(error))
  if (!options.wait) {
    console.log(`${title} ${id} has started`)
    return undefined
  }
  const ended = await follow(title, () => readRestore(client, path, id))
  report(ended, resultOf(ended))
  return ended
}

function readRestore(client: BackupClient, path: ComputerPath, id: string) {
  return answer(
    client.GET('/v2/accounts/{account_id}/computers/{computer_id}/restores/{id}', {
      params: { path: { ...path, id } },
    }),
  )
}
