/**
 * Runs of backup sets:
 *
 *     CREATED   wished, by somebody or by the schedule; waits until the agent is there and has named its volumes
 *     PENDING   its backups are in the store, and the agent does them
 *     ended     when all of them have: then retention is applied and, where that is wished, the new revisions are verified
 *
 * Each step is one transaction that asks whether it is still to be done, so that it does not matter how often, and on
 * how many servers, it is tried. Whatever a crash interrupts is taken up again by `sweep`.
 */
import type { DiscoveredVolume } from '@palisade/agent-protocol'
import { type Clock, type Log, RequestRefused, type Store } from '@palisade/platform'
import type { Kysely } from 'kysely'
import type { ActionOutcome } from '../actions/action.ts'
import type { Actions, OwnedAction } from '../actions/actions.ts'
import type { AgentLinks } from '../agents/agent-links.ts'
import type { Dispatch } from '../agents/dispatch.ts'
import type { VolumeQuestions } from '../agents/volume-questions.ts'
import { type ComputerId, domainOf } from '../computer-id.ts'
import { lockComputer } from '../computers/lock-computer.ts'
import type { BackupTables } from '../tables.ts'
import type { BackupRecord } from '../tasks/task.ts'
import type { Tasks } from '../tasks/tasks.ts'
import { isAll } from './read-set.ts'
import { coveredVolumes, needsDiscovery, selectSources, withoutAll } from './select-volumes.ts'
import type { BackupSet, Sets } from './sets.ts'

/** What runs need of the store and of agents, and what is done when one is over. */
export interface SetRunDependencies {
  readonly store: Store
  readonly sets: Sets
  readonly actions: Actions
  readonly tasks: Tasks
  readonly dispatch: Dispatch
  readonly links: AgentLinks
  readonly questions: VolumeQuestions
  /** Done with a set whose backups have ended, before the run counts as ended. May be done twice. */
  readonly afterRun: (set: BackupSet, run: OwnedAction, signal: AbortSignal) => Promise<void>
  readonly clock: Clock
  readonly log: Log
}

/** Begins, follows and ends the runs of all sets. Any number of servers may do so over the same store. */
export class SetRuns {
  readonly #deps: SetRunDependencies
  readonly #tables: Kysely<BackupTables>
  /** The runs that this server is at, by their ids. */
  readonly #busy = new Map<number, Promise<void>>()
  /** Those of them that are to be looked at once more, since something has happened meanwhile. */
  readonly #again = new Set<number>()
  readonly #closing = new AbortController()

  constructor(deps: SetRunDependencies) {
    this.#deps = deps
    this.#tables = deps.store.tables<BackupTables>()
  }

  /**
   * Wishes a run now; it begins when the agent is there.
   *
   * @throws RequestRefused conflict while another run of the set has not ended
   */
  async request(set: BackupSet): Promise<OwnedAction> {
    const { actions } = this.#deps
    const action = await this.#tables.transaction().execute(async (transaction) => {
      await lockComputer(transaction, set)
      const [unfinished] = await actions.unfinishedRuns(set.id, transaction)
      if (unfinished) {
        throw new RequestRefused('conflict', `Run ${unfinished.id} of this backup set has not ended.`)
      }
      return actions.enter(set, 'run-set', { setId: set.id, tables: transaction })
    })
    this.#work(action)
    return action
  }

  /** An agent has connected: begins what waited for it. */
  async agentIsThere(computer: ComputerId): Promise<void> {
    const here = domainOf(computer)
    for (const action of await this.#deps.actions.unfinishedRuns()) {
      if (domainOf(action) === here) this.#work(action)
    }
  }

  /** A backup has ended: ends the run that it was the last of. */
  async taskEnded(taskId: string): Promise<void> {
    const actionId = await this.#deps.tasks.actionOf(taskId)
    if (actionId === null) return
    const action = (await this.#deps.actions.unfinishedRuns()).find(({ id }) => id === actionId)
    if (action) this.#work(action)
  }

  /** Takes up whatever is unfinished. Called now and then. */
  async sweep(): Promise<void> {
    for (const action of await this.#deps.actions.unfinishedRuns()) this.#work(action)
  }

  /** Ends what is under way, which is taken up again at the next start. */
  async close(): Promise<void> {
    this.#closing.abort()
    await Promise.all(this.#busy.values())
  }

  /** One at a time for each run. What fails is tried again by the next sweep. */
  #work(action: OwnedAction): void {
    if (this.#closing.signal.aborted) return
    if (this.#busy.has(action.id)) {
      this.#again.add(action.id)
      return
    }
    const work = this.#workUntilStill(action)
      .catch((err: unknown) => {
        if (this.#closing.signal.aborted) return
        this.#deps.log.error({ err, computer: domainOf(action), action: action.id }, 'a run cannot go on')
      })
      .finally(() => this.#busy.delete(action.id))
    this.#busy.set(action.id, work)
  }

  async #workUntilStill(action: OwnedAction): Promise<void> {
    do {
      this.#again.delete(action.id)
      await this.#advance(action)
    } while (this.#again.has(action.id) && !this.#closing.signal.aborted)
  }

  async #advance(run: OwnedAction): Promise<void> {
    const action = await this.#findUnfinished(run)
    if (!action) return
    const set = action.setId === null ? undefined : await this.#deps.sets.get(action.setId)
    try {
      if (action.state === 'CREATED') await this.#begin(action, set)
      else await this.#settle(action, set)
    } catch (error) {
      // Whoever deletes a computer ends its runs, and nothing of it can be locked from then on.
      if (await this.#findUnfinished(run)) throw error
    }
  }

  async #findUnfinished({ id, ...computer }: OwnedAction): Promise<OwnedAction | undefined> {
    const action = await this.#deps.actions.find(computer, id)
    return action?.endedAt === null ? action : undefined
  }

  async #begin(action: OwnedAction, set: BackupSet | undefined): Promise<void> {
    const { actions, links, questions } = this.#deps
    if (!set) return actions.end(action.id, failed('the backup set was deleted'))
    if (this.#isOverdue(action)) return actions.end(action.id, failed('the agent was not there in time'))
    if (!links.isOnline(action)) return
    if (!needsDiscovery(set.definition)) return this.#start(action, set, [])
    const volumes = await questions.ask(action)
    if (volumes === 'unreachable') return
    if ('failure' in volumes) return actions.end(action.id, failed(volumes.failure))
    await this.#start(action, set, volumes.volumes)
  }

  async #start(action: OwnedAction, set: BackupSet, volumes: readonly DiscoveredVolume[]): Promise<void> {
    const { sets, actions, tasks, dispatch } = this.#deps
    const { definition } = set
    const others = (await sets.ofComputer(set)).filter((other) => other.id !== set.id && other.enabled)
    const covered = coveredVolumes(
      others.map((other) => other.definition),
      volumes,
    )
    const sources = selectSources(definition, volumes, covered)
    if (sources.length === 0) {
      return actions.end(action.id, failed('none of the selected volumes is there'))
    }
    const staysAsItIs = !definition.useDynamicVolumeInclusion && definition.selection.some(isAll)
    const backups = await this.#tables.transaction().execute(async (transaction) => {
      if (!(await actions.begin(transaction, action.id))) return []
      if (staysAsItIs) {
        await sets.store(transaction, { ...set, definition: withoutAll(definition, volumes) })
      }
      const requests = sources.map((source) => ({ source }))
      return tasks.startRun(transaction, action, action.id, requests)
    })
    for (const backup of backups) dispatch.start(action, backup)
  }

  async #settle(action: OwnedAction, set: BackupSet | undefined): Promise<void> {
    const { tasks, actions } = this.#deps
    const backups = await tasks.ofAction(action.id)
    const running = backups.filter(({ endedAt }) => endedAt === null)
    if (running.length > 0) {
      if (this.#isOverdue(action)) await this.#cancel(action, running)
      return
    }
    if (set) await this.#deps.afterRun(set, action, this.#closing.signal)
    const outcome = outcomeOf(backups)
    await actions.end(action.id, outcome)
    if (set?.warning && outcome.state === 'SUCCESS') await this.#deps.sets.noteWarning(set.id, null)
  }

  async #cancel(computer: ComputerId, running: readonly BackupRecord[]): Promise<void> {
    for (const { id, state } of running) {
      if (state !== 'RUNNING') continue
      await this.#deps.tasks.requestCancel(computer, 'backup', id)
      this.#deps.dispatch.cancel(computer, 'backup', id)
    }
  }

  #isOverdue({ cancelAt }: OwnedAction): boolean {
    return cancelAt !== null && cancelAt <= this.#deps.clock.now()
  }
}

function failed(reason: string): ActionOutcome {
  return { state: 'ERROR', reason }
}

/** What a run came to: an error when nothing was backed up, a warning when a part was not. */
function outcomeOf(backups: readonly BackupRecord[]): ActionOutcome {
  const missed = backups.filter(({ state }) => state !== 'SUCCESS')
  if (missed.length === 0) return { state: 'SUCCESS', reason: '' }
  const [first] = missed
  const why = first?.error ? `${first.error.code}: ${first.error.message}` : 'it was cancelled'
  const reason = `${missed.length} of ${backups.length} backups failed, the first with ${why}`
  return { state: missed.length < backups.length ? 'WARNING' : 'ERROR', reason }
}
