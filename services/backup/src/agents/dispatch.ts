import { type AgentMessage, type Outcome, type ServerMessage, taskFailures } from '@palisade/agent-protocol'
import { type Log, withRequestId } from '@palisade/platform'
import { type ComputerId, domainOf } from '../computer-id.ts'
import type { BackupMetrics } from '../metrics/backup-metrics.ts'
import type { Damage } from '../revisions/damage.ts'
import type { Proofs } from '../revisions/proofs.ts'
import type { TaskKind } from '../tables.ts'
import type { LiveProgress } from '../tasks/live-progress.ts'
import type { CredentialSeal } from '../tasks/share-credentials.ts'
import { type BackupRecord, type RestoreRecord, servedFormat } from '../tasks/task.ts'
import type { Tasks } from '../tasks/tasks.ts'
import type { BackupSessions } from '../vault/backup-sessions.ts'
import type { OpenRevisions } from '../vault/open-revisions.ts'
import type { AgentLinks } from './agent-links.ts'

type RunningTasks = Extract<AgentMessage, { type: 'hello' }>['running']
type Finished = Extract<AgentMessage, { type: 'finished' }>

/** Tells agents what to do, and takes what came of it. */
export class Dispatch {
  readonly #links: AgentLinks
  readonly #tasks: Tasks
  readonly #proofs: Proofs
  readonly #progress: LiveProgress
  readonly #seal: CredentialSeal
  readonly #sessions: BackupSessions
  readonly #openRevisions: OpenRevisions
  readonly #damage: Damage
  readonly #metrics: BackupMetrics
  readonly #log: Log

  constructor(deps: {
    links: AgentLinks
    tasks: Tasks
    proofs: Proofs
    progress: LiveProgress
    seal: CredentialSeal
    sessions: BackupSessions
    openRevisions: OpenRevisions
    damage: Damage
    metrics: BackupMetrics
    log: Log
  }) {
    this.#links = deps.links
    this.#tasks = deps.tasks
    this.#proofs = deps.proofs
    this.#progress = deps.progress
    this.#seal = deps.seal
    this.#sessions = deps.sessions
    this.#openRevisions = deps.openRevisions
    this.#damage = deps.damage
    this.#metrics = deps.metrics
    this.#log = deps.log
  }

  /** Sends a task to the agent; when that is offline, it gets it with the next `hello`. */
  start(computer: ComputerId, task: BackupRecord | RestoreRecord): void {
    if (task.kind === 'backup') this.#beginSession(computer, task.id)
    this.#links.send(computer, this.#startMessage(task), task.origin ?? undefined)
  }

  cancel(computer: ComputerId, task: TaskKind, id: string): void {
    this.#links.send(computer, { type: 'cancel', task, id })
  }

  /**
   * Sends an agent that has just connected whatever it has not finished and is not running. Of a task whose end is
   * wished only the wish is sent: the agent answers with how it ended, if it had ended before.
   */
  async resume(computer: ComputerId, running: RunningTasks): Promise<void> {
    for (const task of await this.#tasks.unfinished(computer)) {
      const isRunning = running.some(({ task: kind, id }) => kind === task.kind && id === task.id)
      if (task.state === 'CANCELING') this.cancel(computer, task.kind, task.id)
      else if (!isRunning) await this.#startOrFail(computer, task)
    }
  }

  /**
   * Stores how a task ended, then lets the agent forget it. Also when it had ended before, or is none of this
   * computer's: the agent would repeat it for ever.
   */
  async finish(computer: ComputerId, finished: Finished): Promise<void> {
    const origin = await this.#tasks.originOf(computer, finished.task, finished.id)
    const finish = () => this.#finish(computer, finished)
    return origin === null ? finish() : withRequestId(origin.requestId, finish)
  }

  async #finish(computer: ComputerId, { task, id, outcome }: Finished): Promise<void> {
    if (task === 'restore') await this.#proofs.take(computer, id, outcome)
    const betterOutcome = this.#betterKnown(id, outcome)
    const ended = await this.#tasks.finish(computer, task, id, betterOutcome, this.#progress.of(id))
    if (ended) {
      await this.ended(task, id, outcome.state)
      this.#log.info({ computer: domainOf(computer), task, id, state: outcome.state }, 'a task has ended')
      if (task === 'restore') await this.#learnFrom(computer, id, outcome)
    }
    this.#links.send(computer, { type: 'acknowledge', task, id })
  }

  /** A task has ended in the store: lets go of what is in memory of it. */
  async ended(task: TaskKind, id: string, state: Outcome['state']): Promise<void> {
    this.#metrics.taskEnded(task, state)
    this.#progress.forget(id)
    this.#openRevisions.end(id)
    await this.#sessions.end(id)
  }

  /** An agent that has given up only knows that the server could not take what it sent; the server knows why. */
  #betterKnown(id: string, outcome: Finished['outcome']): Finished['outcome'] {
    const reason = this.#progress.waitsFor(id)
    const hasGivenUp = outcome.state === 'ERROR' && outcome.code === taskFailures.serverUnreachable
    return hasGivenUp && reason ? { ...outcome, ...reason } : outcome
  }

  /** A restore has read, and an agent has opened, what it restored. */
  async #learnFrom(computer: ComputerId, id: string, outcome: Finished['outcome']): Promise<void> {
    const restore = await this.#tasks.findRestore(computer, id)
    const revisions = restore?.request.revisions.map(({ revisionId }) => revisionId) ?? []
    const hasReadAll = restore?.request.diskFormat !== servedFormat
    if (outcome.state === 'SUCCESS' && hasReadAll) return this.#damage.readWhole(computer, revisions)
    if (outcome.state !== 'ERROR' || outcome.code !== taskFailures.dataDamaged) return
    await this.#damage.metByRestore(computer, revisions, restore?.error?.message ?? '')
  }

  /** A task that cannot be sent has failed: its agent must be able to go on with the others. */
  async #startOrFail(computer: ComputerId, task: BackupRecord | RestoreRecord): Promise<void> {
    try {
      this.start(computer, task)
    } catch (err) {
      this.#log.error({ err, computer: domainOf(computer), id: task.id }, 'a task cannot be sent')
      const message = `The server can no longer read what it needs for this ${task.kind}: start it again.`
      const outcome = { state: 'ERROR' as const, code: taskFailures.internal, message }
      const ended = await this.#tasks.finish(computer, task.kind, task.id, outcome, undefined)
      if (ended) this.#metrics.taskEnded(task.kind, outcome.state)
      this.#progress.forget(task.id)
    }
  }

  #startMessage(task: BackupRecord | RestoreRecord): ServerMessage {
    if (task.kind === 'backup') return { type: 'start-backup', id: task.id, source: task.request.source }
    const { id, sealedCredentials } = task
    const { destination: place, diskFormat, revisions, machine } = task.request
    if (diskFormat === servedFormat) return { type: 'serve-disks', id, revisions }
    const { share, host } = sealedCredentials === null ? {} : this.#seal.open(id, sealedCredentials)
    const destination = { ...place, ...(share ? { credentials: share } : {}) }
    if (!machine) return { type: 'start-restore', id, destination, diskFormat, revisions }
    const { make } = machine
    return {
      type: 'start-machine-restore',
      id,
      destination,
      diskFormat,
      revisions,
      machine: { ...make, host: { ...make.host, ...(host ? { credentials: host } : {}) } },
    }
  }

  #beginSession(computer: ComputerId, backupId: string): void {
    this.#sessions.begin(computer, backupId).catch((err: unknown) => {
      this.#log.error({ err, computer: domainOf(computer) }, 'the vault cannot take a backup')
    })
  }
}
