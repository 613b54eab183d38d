import {
  type AgentMessage,
  type Outcome,
  originOf,
  type ServedDisks,
  type ServerMessage,
  type Task,
} from '@palisade/agent-protocol'
import { failureMessageLengthMax, taskFailures } from '@palisade/agent-protocol/wire'
import { currentRequestId, type Log } from '@palisade/log'
import { describe } from '@palisade/start-up'
import { inTrace, traceOf, type WorkOrigin } from '@palisade/tracing'
import { backUp } from '../backup/back-up.ts'
import type { BackupContext } from '../backup/backup-context.ts'
import type { BackupSettings } from '../backup/settings.ts'
import type { AllowedDestinations } from '../destinations/allowed-destinations.ts'
import type { Destination } from '../destinations/destination.ts'
import { destinationAt } from '../destinations/destination-at.ts'
import type { OwnKey } from '../end-to-end/own-key.ts'
import { asTaskFailure, TaskFailure } from '../failure.ts'
import type { Hosts } from '../hosts/hosts.ts'
import type { MachineContext } from '../machine/machine-context.ts'
import { isOfMachine, makeMachine } from '../machine/make-machine.ts'
import { restoreMachine } from '../machine/restore-machine.ts'
import { finishRestore, restore } from '../restore/restore.ts'
import type { ServerConnection } from '../server/connection.ts'
import { ServerClient } from '../server/exchange.ts'
import type { RetryPolicy } from '../server/retry-request.ts'
import { type ServingContext, type ServingRequest, serveDisks } from '../serving/serve-disks.ts'
import type { ShareSettings } from '../shares/share-settings.ts'
import { CredentialsSeal } from '../state/credentials-seal.ts'
import {
  isTaskId,
  type Journal,
  type RestorePlace,
  type TaskKey,
  type TaskRecord,
  type TaskState,
} from '../state/journal.ts'
import type { RestoredFiles } from '../state/restored-files.ts'
import { Mutex } from '../tasks/mutex.ts'
import { ProgressReporter } from '../tasks/progress.ts'
import { StepSpans } from '../tasks/step-spans.ts'
import { type AbortReason, isStopping } from '../tasks/task-context.ts'
import type { ChangeTracking } from '../tracking/change-tracking.ts'
import type { Snapshots } from '../volumes/snapshots/snapshots.ts'
import type { ChunkWorkers } from '../workers/chunk-workers.ts'
import type { Question } from './answer-question.ts'

/** What all tasks of an agent share. It lives as long as the agent; the connection may change meanwhile. */
export interface TaskRunnerDependencies {
  readonly journal: Journal
  readonly workers: ChunkWorkers
  readonly workDirectory: string
  readonly retryPolicy: RetryPolicy
  readonly backup: BackupSettings
  readonly ownKey: OwnKey | undefined
  readonly snapshots: Snapshots
  readonly tracking: ChangeTracking
  readonly hosts: Hosts
  /** Where restores may write to. */
  readonly destinations: AllowedDestinations
  /** Where servers of shares listen; 445 unless given. */
  readonly sharePort: number | undefined
  readonly verifiesFromDisk: boolean
  /** Told of each disk that is restored. */
  readonly restored: RestoredFiles
  readonly log: Log
  /** The current connection: a new enrolment changes the credential. */
  connection(): ServerConnection
  /** Sends a message over the link; drops it when there is none. */
  send(message: AgentMessage): void
}

/** How many tasks run, wait, or have an outcome that the server has not acknowledged: more than the runs of all volumes. */
const tasksMax = 4096
/** So many restores are served at a time: each keeps some chunks in memory. */
const servedMax = 4
/** What the messages may take that tasks were started with: 64 restores of all volumes of any computer. */
const startedWithMaxBytes = 64 * 1024 * 1024

/** What the server says about tasks. */
export type TaskMessage = Exclude<ServerMessage, Question>

/** What any kind of task needs. */
type Context = BackupContext & MachineContext & ServingContext

/** A task that runs or waits for its turn. */
interface ActiveTask {
  readonly key: TaskKey
  readonly abort: AbortController
  readonly done: Promise<void>
  /** The size of the message that it was started with; 0 after a restart. */
  readonly sizeBytes: number
}

/** What is known of the message that started a task; nothing after a restart. */
interface TaskStart {
  /** See {@link ActiveTask}. */
  readonly sizeBytes: number
  readonly origin: WorkOrigin | undefined
  /** Whether it waits for no other task, and none waits for it. */
  readonly isBeside?: boolean
}

/**
 * Does what the server says, one backup and one restore at a time: a restore never waits for a backup, and disks are served beside
 * both. Outcomes are in the journal before they are said, and are repeated until the server has them.
 */
export class TaskRunner {
  readonly #deps: TaskRunnerDependencies
  readonly #active = new Map<string, ActiveTask>()
  readonly #mutexes: Record<Task, Mutex> = { backup: new Mutex(), restore: new Mutex() }
  /** Restores whose disks are served, by their ids, with what was said of them last. */
  readonly #served = new Map<string, ServedDisks | undefined>()

  constructor(deps: TaskRunnerDependencies) {
    this.#deps = deps
  }

  /** What is under way, for the `hello` of the link. */
  running(): TaskKey[] {
    return [...this.#active.values()].map(({ key: { task, id } }) => ({ task, id }))
  }

  /**
   * Recovers what a killed agent left: removes unfinished disks, names finished ones, and resumes machines in the background,
   * since their hosts may be away.
   */
  async recover(): Promise<void> {
    for (const record of this.#deps.journal.records()) {
      if (record.state === 'writing') await this.#unwind(record)
      if (isOfMachine(record)) this.#begin(record, (context) => makeMachine(record, context))
      else if (record.state === 'naming') {
        await this.#settle(record, async () =>
          finishRestore(record, record.disks, this.#destinationOf(record), this.#deps.journal),
        )
      }
    }
  }

  /** Sends again what the server may have missed: outcomes that it has not acknowledged, and which disks are served. */
  repeat(): void {
    for (const record of this.#deps.journal.records()) this.#sendOutcome(record)
    for (const [id, served] of this.#served) {
      if (served !== undefined) this.#deps.send({ type: 'disks-served', id, served })
    }
  }

  /** @param sizeBytes of the message, as it came over the link */
  async take(message: TaskMessage, sizeBytes: number): Promise<void> {
    const key = keyOf(message)
    const start = { sizeBytes, origin: originOf(message) }
    if (!isTaskId(key.id)) {
      this.#deps.log.error({ id: key.id }, 'ignoring a task with an invalid id')
      return
    }
    if (message.type === 'acknowledge') await this.#deps.journal.forget(key)
    else if (this.#isTooMany(key, sizeBytes))
      this.#deps.log.error(key, 'ignoring a task: the server has started too many')
    else if (message.type === 'cancel') await this.#cancel(key)
    else if (message.type === 'start-backup')
      this.#start(key, start, (context) => backUp(key.id, message.source, context))
    else if (message.type === 'start-machine-restore')
      this.#start(key, start, (context) => restoreMachine(message, context))
    else if (message.type === 'serve-disks')
      this.#start(key, { ...start, isBeside: true }, (context) => this.#serve(message, context))
    else this.#start(key, start, (context) => restore(message, context))
  }

  async #serve(request: ServingRequest, context: Context): Promise<Outcome> {
    const { id } = request
    if (this.#served.size >= servedMax) {
      const message = `this agent serves the disks of ${servedMax} other restores: end one of them first`
      throw new TaskFailure(taskFailures.internal, message)
    }
    this.#served.set(id, undefined)
    try {
      return await serveDisks(request, context)
    } finally {
      this.#served.delete(id)
    }
  }

  #isTooMany(key: TaskKey, sizeBytes: number): boolean {
    if (this.#active.has(nameOf(key)) || this.#deps.journal.find(key) !== undefined) return false
    if (this.#active.size + this.#deps.journal.count >= tasksMax) return true
    let heldBytes = sizeBytes
    for (const active of this.#active.values()) heldBytes += active.sizeBytes
    return heldBytes > startedWithMaxBytes
  }

  /** Aborts all tasks and waits until they have cleaned up. The server sends them again. */
  async stop(): Promise<void> {
    const active = [...this.#active.values()]
    for (const { abort } of active) abort.abort('stopping' satisfies AbortReason)
    await Promise.all(active.map(({ done }) => done))
  }

  #start(key: TaskKey, start: TaskStart, work: (context: Context) => Promise<Outcome>): void {
    if (this.#active.has(nameOf(key))) return
    const finished = this.#deps.journal.find(key)
    if (finished !== undefined) {
      this.#sendOutcome(finished)
      return
    }
    this.#begin(key, work, start)
  }

  #begin({ task, id }: TaskKey, work: (context: Context) => Promise<Outcome>, start?: TaskStart): void {
    const key = { task, id }
    const abort = new AbortController()
    const workInTrace = (context: Context) =>
      inTrace(task, { attributes: { 'palisade.task.id': id } }, traceOf(start?.origin), () => work(context))
    const turn = start?.isBeside === true ? undefined : this.#mutexes[task]
    const done = this.#perform(key, workInTrace, abort.signal, turn).finally(() =>
      this.#active.delete(nameOf(key)),
    )
    this.#active.set(nameOf(key), { key, abort, done, sizeBytes: start?.sizeBytes ?? 0 })
  }

  async #cancel(key: TaskKey): Promise<void> {
    const active = this.#active.get(nameOf(key))
    if (active !== undefined) {
      active.abort.abort('cancelled' satisfies AbortReason)
      return
    }
    const finished = this.#deps.journal.find(key)
    if (finished !== undefined) this.#sendOutcome(finished)
    else await this.#finish(key, { state: 'CANCELED' })
  }

  async #perform(
    key: TaskKey,
    work: (context: Context) => Promise<Outcome>,
    signal: AbortSignal,
    turn: Mutex | undefined,
  ): Promise<void> {
    const { send, connection } = this.#deps
    const log = this.#deps.log.child(key)
    const steps = new StepSpans()
    const progress = new ProgressReporter({
      onStep: (step) => {
        log.info({ step }, key.task)
        steps.begin(step)
      },
      onProgress: (step, bytesDone, bytesTotal) =>
        send({ type: 'progress', ...key, step, bytesDone, bytesTotal }),
    })
    progress.begin('waiting', 0)
    const current = { ...connection(), requestId: currentRequestId() }
    const client = new ServerClient(current)
    const shares = this.shareSettings()
    const onServed = (served: ServedDisks) => {
      this.#served.set(key.id, served)
      send({ type: 'disks-served', id: key.id, served })
    }
    const own = { connection: current, client, shares, progress, log, signal, onServed }
    const context: Context = { ...this.#deps, ...own }
    const workInTurn = async () => {
      const release = await turn?.acquire(signal)
      try {
        return await work(context)
      } finally {
        steps.end()
        release?.()
      }
    }
    const workAndReport = () =>
      workInTurn().finally(() => {
        progress.stop()
        client.close()
      })
    await this.#settle(key, workAndReport, signal)
  }

  /** Records the result of a task as its outcome; there is none when the agent is stopping. */
  async #settle(key: TaskKey, work: () => Promise<Outcome>, signal?: AbortSignal): Promise<void> {
    let outcome: Outcome
    try {
      outcome = await work()
    } catch (error) {
      if (signal !== undefined && isStopping(signal)) return
      outcome = signal?.aborted ? { state: 'CANCELED' } : this.#failureOf(key, error)
    }
    await this.#finish(key, outcome)
  }

  #failureOf({ task, id }: TaskKey, error: unknown): Outcome {
    const failure = asTaskFailure(error)
    const { stack } = error instanceof Error ? error : failure
    this.#deps.log.error({ task, id, code: failure.code, stack }, describe(failure))
    return { state: 'ERROR', code: failure.code, message: failure.message }
  }

  async #finish({ task, id }: TaskKey, whole: Outcome): Promise<void> {
    const { journal, log, send, restored } = this.#deps
    const outcome = sendable(whole)
    log.info({ task, id, outcome }, `${task} ended`)
    try {
      if ('files' in outcome) await restored.add(outcome.files ?? [])
      await journal.record({ task, id }, { state: 'finished', outcome })
    } catch (error) {
      // The server hears of it from this run all the same; from the next one it does not, and sends the task again.
      log.error({ task, id }, `the outcome cannot be recorded: ${describe(error)}`)
    }
    send({ type: 'finished', task, id, outcome })
  }

  #sendOutcome(record: TaskRecord): void {
    if (record.state !== 'finished') return
    const { task, id, outcome } = record
    this.#deps.send({ type: 'finished', task, id, outcome: sendable(outcome) })
  }

  /** How shares are reached, with the current credential. */
  shareSettings(): ShareSettings {
    const { workDirectory, sharePort, connection } = this.#deps
    const seal = new CredentialsSeal(connection().credential)
    return { platform: process.platform, port: sharePort, workDirectory, seal }
  }

  #destinationOf({ folder, sealedCredentials }: RestorePlace): Destination {
    const settings = this.shareSettings()
    return destinationAt(
      { path: folder, credentials: settings.seal.open(sealedCredentials) },
      settings,
      undefined,
    )
  }

  async #unwind(record: TaskKey & Extract<TaskState, { state: 'writing' }>): Promise<void> {
    const { log, journal } = this.#deps
    try {
      const destination = this.#destinationOf(record)
      for (const partialPath of record.partialPaths) await destination.removePartial(partialPath)
      log.info({ files: record.partialPaths }, 'removed what an interrupted restore had left')
    } catch (error) {
      // The folder may be gone for good; the agent has other work.
      log.warn({ files: record.partialPaths }, `unfinished disks cannot be removed: ${describe(error)}`)
    }
    await journal.forget(record)
  }
}

/** A message may repeat whatever the server sent, several times; an outcome must fit through the link, or it ends it each time. */
function sendable(outcome: Outcome): Outcome {
  if (outcome.state !== 'ERROR') return outcome
  return { ...outcome, message: outcome.message.slice(0, failureMessageLengthMax) }
}

function keyOf(message: TaskMessage): TaskKey {
  if (message.type === 'start-backup') return { task: 'backup', id: message.id }
  if ('task' in message) return { task: message.task, id: message.id }
  return { task: 'restore', id: message.id }
}

function nameOf({ task, id }: TaskKey): string {
  return `${task} ${id}`
}
