import type { Log } from '@palisade/platform'
import type { Progress, TaskError } from './task.ts'
import type { Tasks } from './tasks.ts'

/** How much progress is lost at most when the server is killed. */
const saveEveryMs = 1000

/**
 * The newest progress of each running task. It is kept in memory and saved once a second, since agents report
 * more often than anybody looks.
 */
export class LiveProgress {
  readonly #tasks: Tasks
  readonly #log: Log
  readonly #newest = new Map<string, Progress>()
  #unsaved = new Map<string, Progress>()
  /** What unfinished tasks wait for. */
  readonly #waiting = new Map<string, TaskError>()
  readonly #timer: NodeJS.Timeout
  #saving: Promise<void> = Promise.resolve()

  constructor(deps: { tasks: Tasks; log: Log }) {
    this.#tasks = deps.tasks
    this.#log = deps.log
    this.#timer = setInterval(() => void this.#save(), saveEveryMs).unref()
  }

  note(taskId: string, progress: Progress): void {
    this.#newest.set(taskId, progress)
    this.#unsaved.set(taskId, progress)
  }

  /** What was heard last, also of what is not saved yet. */
  of(taskId: string): Progress | undefined {
    return this.#newest.get(taskId)
  }

  /** The agent tries something again and again, for this reason. */
  waits(taskId: string, reason: TaskError): void {
    this.#waiting.set(taskId, reason)
  }

  /** What the agent tried has been done. */
  goesOn(taskId: string): void {
    this.#waiting.delete(taskId)
  }

  /** Whether any task does not get on at the moment. */
  get isAnyWaiting(): boolean {
    return this.#waiting.size > 0
  }

  /** Why tasks do not get on at the moment, one reason for each of them. */
  get reasonsToWait(): readonly TaskError[] {
    return [...this.#waiting.values()]
  }

  /** Why the task does not get on at the moment. */
  waitsFor(taskId: string): TaskError | undefined {
    return this.#waiting.get(taskId)
  }

  /** The task has ended. */
  forget(taskId: string): void {
    this.#waiting.delete(taskId)
    this.#newest.delete(taskId)
    this.#unsaved.delete(taskId)
  }

  /** Saves what is not saved, and stops. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#save()
  }

  /** One save at a time. What cannot be saved now is told again by the agent, or known at the end. */
  #save(): Promise<void> {
    this.#saving = this.#saving.then(async () => {
      if (this.#unsaved.size === 0) return
      const progress = this.#unsaved
      this.#unsaved = new Map()
      try {
        await this.#tasks.saveProgress(progress)
      } catch (err) {
        this.#log.warn({ err }, 'the progress of backups and restores could not be saved')
      }
    })
    return this.#saving
  }
}
