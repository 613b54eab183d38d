import { wait } from './transport.ts'

/** What backups, restores, verifications and other tasks have in common. */
export interface TaskProgress {
  /** RUNNING and CANCELING until it has ended, then SUCCESS, FAILED or CANCELED. */
  readonly state: string
}

/** How a task is waited for. */
export interface Waiting<Task> {
  /** Is told each newest record of the task. */
  readonly onProgress?: (task: Task) => void
  /** Milliseconds between two looks; 500 by default. */
  readonly everyMs?: number
  /** Ends the waiting, not the task. */
  readonly signal?: AbortSignal
}

/**
 * Waits until a task has ended.
 *
 * @param read the newest record of the task
 * @returns its last record, whichever way it ended
 * @throws the signal's reason when that aborts
 */
export async function waitForTask<Task extends TaskProgress>(
  read: () => Promise<Task>,
  { onProgress, everyMs = 500, signal }: Waiting<Task> = {},
): Promise<Task> {
  for (;;) {
    const task = await read()
    onProgress?.(task)
    if (task.state !== 'RUNNING' && task.state !== 'CANCELING') return task
    await wait(everyMs, signal)
  }
}
