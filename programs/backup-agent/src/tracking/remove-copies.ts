import type { Log } from '@palisade/log'
import { takeStateDirectory } from '../state/state-directory.ts'
import { KeptCopies } from './kept-copies.ts'

/**
 * Removes all copies of images that an agent keeps, before it is removed itself.
 *
 * @returns whether all of them are gone
 * @throws Error when an agent uses the state directory
 */
export async function removeCopies(stateDirectory: string, log: Log): Promise<boolean> {
  const state = takeStateDirectory(stateDirectory)
  try {
    const copies = new KeptCopies(state.keptDirectory, log)
    for (const record of await copies.all()) await copies.drop(record, 'the agent is to be removed')
    return (await copies.all()).length === 0
  } finally {
    state.release()
  }
}
