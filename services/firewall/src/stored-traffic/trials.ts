import { randomUUID } from 'node:crypto'
import { type Clock, type Store, TextSeal, tooManyRequests } from '@palisade/platform'
import { storedTrafficMax, type Trial, type TrialResult } from '@palisade/proxy-protocol'
import type { Kysely } from 'kysely'
import type { FirewallTables } from '../tables.ts'
import { WaitingRequests } from '../waiting-requests.ts'
import type { StoredRequests } from './stored-requests.ts'

/** How often the store is asked whether there is a trial, and what came of one, where no notification says so. */
const lookForTrialMs = 3_000
const lookForAnswerMs = 500

/** Of the notifications that a trial waits for a proxy, or its answer for whoever asked for it. */
const topic = 'firewall trial'

/** A trial that no proxy has taken by then is none any more. */
const untakenMaxMs = 20_000

/** What a proxy has not answered by then is given up. */
const answerMaxMs = 100_000

/** How many trials of the installation wait at once. */
const waitingMax = 4

/** What is to be tried; the stored requests are put to it when a proxy takes it. */
export type TrialOrder = Omit<Trial, 'id' | 'requests'>

/** Trials that servers ask for and proxies make, in the store: neither need know which server the other one speaks to. */
export class Trials {
  readonly #tables: Kysely<FirewallTables>
  readonly #clock: Clock
  readonly #seal: TextSeal
  readonly #requests: StoredRequests
  readonly #notifications: Store['notifications']
  readonly #waiting = new WaitingRequests()
  readonly #stopListening: () => void

  constructor(deps: {
    readonly store: Store
    readonly clock: Clock
    readonly key: Buffer
    readonly requests: StoredRequests
  }) {
    this.#tables = deps.store.tables<FirewallTables>()
    this.#clock = deps.clock
    this.#seal = new TextSeal(deps.key, 'palisade-firewall/trials')
    this.#requests = deps.requests
    this.#notifications = deps.store.notifications
    const wake = () => this.#waiting.wake()
    this.#stopListening = this.#notifications.listen(topic, { heard: wake, missed: wake })
  }

  /** Ends hearing of trials. */
  close(): void {
    this.#stopListening()
  }

  /**
   * Has a proxy judge the stored requests of a service.
   *
   * @returns what came of it; `problem` says why nothing did
   * @throws RequestRefused where too many trials are waiting
   */
  async make(order: TrialOrder, signal: AbortSignal): Promise<TrialResult> {
    const id = randomUUID()
    await this.#admit()
    const started = this.#clock.now()
    await this.#tables
      .insertInto('firewall_trial')
      .values({
        id,
        created_at: started,
        taken_at: 0,
        document: this.#seal.seal(JSON.stringify(order), id),
        answer: '',
      })
      .execute()
    try {
      await this.#tell()
      return await this.#answerOf(id, signal)
    } finally {
      await this.#tables.deleteFrom('firewall_trial').where('id', '=', id).execute()
    }
  }

  /**
   * Waits for a trial that is the caller's from then on; undefined when there was none until the signal was aborted.
   *
   * @param ruleSets the names of those that the caller can try
   */
  async next(ruleSets: readonly string[], signal: AbortSignal): Promise<Trial | undefined> {
    while (!signal.aborted) {
      const woken = this.#woken(lookForTrialMs, signal)
      const trial = await this.#take(ruleSets)
      if (trial !== undefined) return trial
      await woken
    }
    return undefined
  }

  /** Keeps what came of a trial for whoever waits; a trial that is over is passed over. */
  async answer(result: TrialResult): Promise<void> {
    await this.#tables
      .updateTable('firewall_trial')
      .set({ answer: this.#seal.seal(JSON.stringify(result), `${result.trial} answer`) })
      .where('id', '=', result.trial)
      .where('taken_at', '>', 0)
      .execute()
    await this.#tell()
  }

  /** Has all servers look. */
  async #tell(): Promise<void> {
    this.#waiting.wake()
    await this.#notifications.send(this.#tables, topic, '')
  }

  /** Ends when there may be something new, and in any case after so many milliseconds. */
  #woken(afterMs: number, signal: AbortSignal): Promise<void> {
    return this.#waiting.next(AbortSignal.any([signal, AbortSignal.timeout(afterMs)]))
  }

  async #admit(): Promise<void> {
    const now = this.#clock.now()
    await this.#tables
      .deleteFrom('firewall_trial')
      .where('created_at', '<', now - 2 * answerMaxMs)
      .execute()
    const { waiting } = await this.#tables
      .selectFrom('firewall_trial')
      .select(({ fn }) => fn.countAll().as('waiting'))
      .executeTakeFirstOrThrow()
    if (Number(waiting) >= waitingMax)
      throw tooManyRequests(`${waitingMax} trials of stored requests are under way already.`, 10_000)
  }

  async #take(ruleSets: readonly string[]): Promise<Trial | undefined> {
    const rows = await this.#tables
      .selectFrom('firewall_trial')
      .select(['id', 'document'])
      .where('taken_at', '=', 0)
      .where('created_at', '>', this.#clock.now() - untakenMaxMs)
      .orderBy('created_at')
      .limit(waitingMax)
      .execute()
    const [row] = rows
      .map(({ id, document }) => ({ id, order: JSON.parse(this.#seal.open(document, id)) as TrialOrder }))
      .filter(({ order }) => order.ruleSet === undefined || ruleSets.includes(order.ruleSet))
    if (row === undefined) return undefined
    const { numUpdatedRows } = await this.#tables
      .updateTable('firewall_trial')
      .set({ taken_at: this.#clock.now() })
      .where('id', '=', row.id)
      .where('taken_at', '=', 0)
      .executeTakeFirstOrThrow()
    // Another proxy was first.
    if (numUpdatedRows === 0n) return undefined
    const { id, order } = row
    const { requestsOfTrial, charactersOfTrial } = storedTrafficMax
    const requests = await this.#requests.of(order.now.name, requestsOfTrial, charactersOfTrial)
    return { id, ...order, requests }
  }

  async #answerOf(id: string, signal: AbortSignal): Promise<TrialResult> {
    const started = performance.now()
    while (!signal.aborted) {
      const woken = this.#woken(lookForAnswerMs, signal)
      const row = await this.#tables
        .selectFrom('firewall_trial')
        .select(['answer', 'taken_at'])
        .where('id', '=', id)
        .executeTakeFirst()
      if (row === undefined) break
      if (row.answer !== '') return JSON.parse(this.#seal.open(row.answer, `${id} answer`)) as TrialResult
      const waited = performance.now() - started
      if (Number(row.taken_at) === 0 && waited > untakenMaxMs)
        return failed(
          id,
          'No proxy has taken the trial: none reports to this installation that keeps requests.',
        )
      if (waited > answerMaxMs) return failed(id, 'No proxy has answered in time.')
      await woken
    }
    return failed(id, 'The trial was given up.')
  }
}

function failed(trial: string, problem: string): TrialResult {
  return { trial, problem, tried: [] }
}
