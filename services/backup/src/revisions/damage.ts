import type { Clock, Log } from '@palisade/platform'
import type { Kysely } from 'kysely'
import { type ComputerId, domainOf } from '../computer-id.ts'
import type { BackupMetrics, DamageFinder } from '../metrics/backup-metrics.ts'
import type { BackupTables } from '../tables.ts'
import type { Timers } from '../timers.ts'
import type { Revision, Revisions } from './revisions.ts'

/** What was found, and by what. */
export interface DamageReport {
  readonly finder: DamageFinder
  /** For the log: what is damaged, in a sentence. */
  readonly message: string
  /** The revisions that are known to suffer; there may be others. */
  readonly revisions: readonly number[]
}

/**
 * What follows when stored chunks are found damaged or lost, whoever finds it:
 *
 *     logged, counted ──► all that the computer has is verified ──► every revision that suffers is marked, and no backup
 *                                                                   builds on a damaged chunk any more
 *                     ──► repaired: the vault forgets the damaged chunks
 *                     ──► the next backup stores them again ──► marked revisions are verified again, and the marks end
 */
export class Damage {
  readonly #revisions: Revisions
  readonly #timers: Timers
  readonly #metrics: BackupMetrics
  readonly #clock: Clock
  readonly #log: Log

  constructor(deps: {
    revisions: Revisions
    timers: Timers
    metrics: BackupMetrics
    clock: Clock
    log: Log
  }) {
    this.#revisions = deps.revisions
    this.#timers = deps.timers
    this.#metrics = deps.metrics
    this.#clock = deps.clock
    this.#log = deps.log
  }

  /** Begins the verification of all that the computer has, unless the revisions that suffer are marked already. */
  async found(computer: ComputerId, { finder, message, revisions }: DamageReport): Promise<void> {
    const marked = await this.#areMarked(computer, revisions)
    const what = { computer: domainOf(computer), finder, revisions, message }
    if (marked) {
      this.#log.warn(what, 'damage was met in the vault that is marked already')
      return
    }
    this.#metrics.damageFound(finder)
    this.#log.error(what, 'damage was found in the vault: all backups of this computer are verified now')
    await this.verifyAll(computer)
  }

  /** Has everything of a computer verified, as soon as the scheduler looks. Also within a transaction. */
  async verifyAll(computer: ComputerId, tables?: Kysely<BackupTables>): Promise<void> {
    await this.#timers.setAtLatest('verify-computer', domainOf(computer), this.#clock.now(), tables)
  }

  /**
   * A restore has ended with damage. Of what is sealed end to end only the agent could see it: its word is kept with the revision.
   *
   * @param message of the agent
   */
  async metByRestore(computer: ComputerId, revisions: readonly number[], message: string): Promise<void> {
    await this.found(computer, { finder: 'restore', message, revisions })
    const [only, ...others] = await this.#revisions.find(computer, revisions)
    const damagedRevision =
      others.length === 0 ? only : [only, ...others].find((one) => isNamed(one, message))
    if (
      !damagedRevision ||
      damagedRevision.endToEndKeyCheck === null ||
      damagedRevision.verification?.state === 'DAMAGED'
    )
      return
    await this.#revisions.noteVerification(computer, [damagedRevision.id], {
      state: 'DAMAGED',
      atMs: this.#clock.now(),
      samplePercent: 100,
      compared: 'content',
      foundBy: 'agent',
      message: `a restore could not open it: ${message}`,
    })
  }

  /** A restore has read revisions from end to end: what an agent alone has found in them is over. */
  async readWhole(computer: ComputerId, ids: readonly number[]): Promise<void> {
    const whole = (await this.#revisions.find(computer, ids)).filter(
      ({ verification }) => verification?.foundBy === 'agent',
    )
    await this.#revisions.noteVerification(
      computer,
      whole.map(({ id }) => id),
      { state: 'SUCCESS', atMs: this.#clock.now(), samplePercent: 100, compared: 'content', message: '' },
    )
  }

  async #areMarked(computer: ComputerId, ids: readonly number[]): Promise<boolean> {
    const revision = await this.#revisions.find(computer, ids)
    return revision.length > 0 && revision.every(({ verification }) => verification?.state === 'DAMAGED')
  }
}

function isNamed(revision: Revision | undefined, message: string): boolean {
  return revision !== undefined && new RegExp(`\\brevision ${revision.id}\\b`).test(message)
}
