import { DiskFailure } from './failure.ts'

/** What the action gives, or its failure as a value; errors that are not ours are thrown on. */
export async function attempt<T>(action: () => Promise<T>): Promise<T | DiskFailure> {
  try {
    return await action()
  } catch (error) {
    if (error instanceof DiskFailure) return error
    throw error
  }
}
