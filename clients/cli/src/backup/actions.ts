import { setTimeout } from 'node:timers/promises'
import { answer, type BackupClient, type BackupSchemas, type ComputerPath } from '@palisade/sdk'
import { UsageError } from '../connection.ts'
import { type OutputOptions, printThing } from '../output.ts'
import { readPatiently } from './patient-read.ts'
import { reportStart } from './replies.ts'

/** What came of an action: a run of a set, a verification, a comparison. */
export type Action = BackupSchemas['schemas']['ActionInfo']['data']

const pollMs = 500

/** Reads what came of an action. */
export async function readAction(client: BackupClient, path: ComputerPath, id: string): Promise<Action> {
  const { data } = await answer(
    client.GET('/v2/accounts/{account_id}/computers/{computer_id}/backupsets/{id}/info', {
      params: { path: { ...path, id } },
    }),
  )
  return data
}

/**
 * Waits until an action has ended and prints what came of it, or says that it has started.
 *
 * @param given.title what the action is called
 * @param given.text what is said of a success
 * @throws UsageError when it has failed, with its reason
 */
export async function followAction(
  client: BackupClient,
  path: ComputerPath,
  given: { readonly id: string; readonly title: string; readonly text: string; readonly failure: string },
  options: OutputOptions & { readonly wait: boolean },
): Promise<void> {
  const { id, title, text, failure } = given
  if (!options.wait) {
    reportStart(title, id, options)
    return
  }
  const waiting = { title, again: 'history', path, outlivesServer: title === 'run' }
  const read = () => readPatiently(() => readAction(client, path, id), waiting)
  let action = await read()
  while (action.ended === null) {
    await setTimeout(pollMs)
    action = await read()
  }
  if (action.state !== 'SUCCESS' && action.state !== 'WARNING')
    throw new UsageError(`${failure}: ${action.reason}.`)
  if (options.output !== undefined && options.output !== 'table') printThing(action, options)
  else if (options.quiet) console.log(id)
  else console.log(action.state === 'WARNING' ? `${text} But ${action.reason}.` : text)
}
