import type { Log } from '@palisade/log'
import type { OwnKey } from '../end-to-end/own-key.ts'
import type { ServerConnection } from '../server/connection.ts'
import type { RequestContext } from '../server/request-context.ts'
import type { Journal } from '../state/journal.ts'
import type { ChunkWorkers } from '../workers/chunk-workers.ts'
import type { Progress } from './progress.ts'

/**
 * What every task is given to do its work with. Its `client` is for requests of the main thread; threads make their own.
 * When `signal` is aborted, because the task is cancelled or the agent stops, the task removes what it began and rejects.
 */
export interface TaskContext extends RequestContext {
  readonly connection: ServerConnection
  readonly workers: ChunkWorkers
  readonly journal: Journal
  /** Temporary files may lie here; it is emptied when the agent starts. */
  readonly workDirectory: string
  /** The key of its own that the computer's backups are sealed with; undefined when it has none. */
  readonly ownKey: OwnKey | undefined
  readonly progress: Progress
  readonly log: Log
}

/** Why a task is aborted: its outcome is then "cancelled", or there is none because the agent ends. */
export type AbortReason = 'cancelled' | 'stopping'

/** Whether the agent is ending, and will go on with the task when it is started again. */
export function isStopping(signal: AbortSignal): boolean {
  return signal.aborted && signal.reason === ('stopping' satisfies AbortReason)
}
