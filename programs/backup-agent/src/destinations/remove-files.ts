import { asTaskFailure, TaskFailure } from '../failure.ts'
import type { Destination } from './destination.ts'

/**
 * Removes files of a restore that failed; those that are gone already are fine.
 *
 * @param paths absolute, in the destination's folder
 * @returns those that may be left
 */
export async function removeFiles(paths: readonly string[], destination: Destination): Promise<string[]> {
  const remainingPaths: string[] = []
  for (const path of paths) await destination.removePartial(path).catch(() => remainingPaths.push(path))
  return remainingPaths
}

/**
 * What to end with after a failure.
 *
 * @param left what could not be removed
 * @returns the failure, and in its words what is left
 */
export function withRemainingFiles(error: unknown, left: readonly string[]): unknown {
  if (left.length === 0) return error
  const { code, message } = asTaskFailure(error)
  return new TaskFailure(code, `${message}; this may be left and cannot be removed: ${left.join(', ')}`, {
    cause: error,
  })
}
