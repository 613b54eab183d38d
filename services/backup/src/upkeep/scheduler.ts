import type { Clock, Log, Store } from '@palisade/platform'
import type { CollectReport, Vault } from '@palisade/vault'
import { domainOf } from '../computers/computer-id.ts'
import type { Computers } from '../computers/computers.ts'
import type { BackupConfiguration } from '../configuration.ts'
import type { SetProofs } from '../proofs/set-proofs.ts'
import type { Actions } from '../sets/actions.ts'
import { enterScheduledRun } from '../sets/scheduled-runs.ts'
import type { SetRuns } from '../sets/set-runs.ts'
import type { Sets } from '../sets/sets.ts'
import type { Damage } from './damage.ts'
import type { LeasedWork } from './leased-work.ts'
import type { RevisionRemoval } from './revision-removal.ts'
import type { Timer, Timers } from './timers.ts'
import type { Verifications } from './verifications.ts'

const dayMs = 86_400_000
/** A clock that goes back by less is being corrected, and what ran a little early is not to run again. */
const setBackMinMs = 3_600_000

export interface SchedulerDependencies {
  readonly store: Store
  readonly vault: Vault
  readonly sets: Sets
  readonly actions: Actions
  readonly runs: SetRuns
  readonly timers: Timers
  readonly work: LeasedWork
  readonly removal: RevisionRemoval
  readonly verifications: Verifications
  readonly computers: Computers
  readonly damage: Damage
  readonly setProofs: SetProofs
  readonly clock: Clock
  readonly log: Log
  readonly upkeep: BackupConfiguration['upkeep']
  /** How often it is looked for what is due. */
  readonly everyMs: number
}

/** Looks now and then for what is due, and does it or begins it. */
export class Scheduler {
  readonly #deps: SchedulerDependencies
  readonly #timer: NodeJS.Timeout
  #looking: Promise<void> | undefined
  /** When it was looked last. */
  #lookedAt = Number.POSITIVE_INFINITY

  constructor(deps: SchedulerDependencies) {
    this.#deps = deps
    this.#timer = setInterval(() => this.#look(), deps.everyMs).unref()
  }

  /** Ends looking; what was begun is ended by who does it. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#looking
  }

  #look(): void {
    if (this.#looking) return
    this.#looking = this.#doDue()
      .catch((err: unknown) => this.#deps.log.error({ err }, 'what is due could not be looked for'))
      .finally(() => {
        this.#looking = undefined
      })
  }

  async #doDue(): Promise<void> {
    const { timers, clock, runs } = this.#deps
    const now = clock.now()
    if (now < this.#lookedAt - setBackMinMs) await this.#bringForward(now)
    this.#lookedAt = now
    for (const timer of await timers.due(now)) await this.#apart(timer.subject, () => this.#do(timer))
    await runs.sweep()
  }

  /**
   * At the start, and when the clock was set back: what is due later than it would be if it were set now was set while the
   * clock was ahead, and would not be done until that time has come again.
   */
  async #bringForward(now: number): Promise<void> {
    const { sets, timers, upkeep } = this.#deps
    for (const id of await sets.enabledIds()) await this.#apart(id, () => sets.bringTimersForward(id))
    await timers.bringForward('repair', now)
    await timers.bringForward('verify-computer', now)
    await timers.setAtLatest('collect', '', now + upkeep.collectEverySeconds * 1000)
  }

  /** A set that cannot be read holds up nothing else. */
  async #apart(subject: string, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (err) {
      this.#deps.log.error({ err, subject }, 'what is due could not be begun')
    }
  }

  async #do(timer: Timer): Promise<void> {
    if (timer.kind === 'run-set') return enterScheduledRun(timer, this.#deps)
    if (timer.kind === 'verify-set') return this.#verifySet(timer)
    if (timer.kind === 'prove-set') return this.#proveSet(timer)
    if (timer.kind === 'verify-computer') return this.#verifyComputer(timer)
    if (timer.kind === 'repair') return this.#repair(timer)
    const { work, vault, removal, log, upkeep } = this.#deps
    await work.begin({
      timer,
      everyMs: upkeep.collectEverySeconds * 1000,
      perform: async (signal) => {
        await removal.finish()
        const report = await vault.collect({ graceMs: upkeep.keepUnneededSeconds * 1000, signal })
        log.info(report, 'the vault was collected')
        await this.#noteDamage(report)
        for (const { domain, revision } of report.revisionsUnread) {
          const told = { computer: domain, revision }
          log.error(
            told,
            'a revision cannot be read, and nothing of its computer is freed until it is deleted',
          )
        }
      },
    })
  }

  /**
   * Lets the vault forget the chunks of a computer that are damaged, when they still are: the next backup stores them
   * again, which heals every revision that needs them. Nobody else may use the computer's chunks meanwhile.
   */
  async #repair(timer: Timer): Promise<void> {
    const { work, vault, computers, verifications, log } = this.#deps
    await work.begin({
      timer,
      everyMs: null,
      perform: async (signal) => {
        const report = await vault.repair({ domain: timer.subject, readData: true, signal })
        log.warn(
          { computer: timer.subject, ...report },
          'the vault was repaired: back this computer up again',
        )
        const computer = await computers.ofDomain(timer.subject)
        if (!computer) return
        await verifications.noteLost(computer, report.revisions)
        await verifications.lookAgain(computer, signal)
      },
    })
  }

  async #verifyComputer(timer: Timer): Promise<void> {
    const { work, computers, verifications } = this.#deps
    await work.begin({
      timer,
      everyMs: null,
      perform: async (signal) => {
        const computer = await computers.ofDomain(timer.subject)
        if (computer) await verifications.verifyComputer(computer, signal)
      },
    })
  }

  /** What a collection has noticed on its way. */
  async #noteDamage({ packsMissing, revisionsIncomplete }: CollectReport): Promise<void> {
    const { computers, damage } = this.#deps
    for (const computer of await computers.all()) {
      const isOwn = ({ domain }: { domain: string }) => domain === domainOf(computer)
      const packs = packsMissing.filter(isOwn).map(({ object }) => object)
      const revisions = revisionsIncomplete.filter(isOwn).map(({ revision }) => Number(revision))
      const [finder, lost] = ['collection' as const, 'chunks that revisions need are lost']
      if (packs.length > 0) {
        await damage.found(computer, { finder, message: `missing: ${packs.join(', ')}`, revisions: [] })
      } else if (revisions.length > 0) await damage.found(computer, { finder, message: lost, revisions })
    }
  }

  async #proveSet(timer: Timer): Promise<void> {
    const { sets, store, timers, work, setProofs } = this.#deps
    const set = await sets.get(timer.subject)
    const wish = set?.definition.settings.proof
    if (!set?.enabled || wish === undefined) {
      await timers.advance(store.tables(), timer, null)
      return
    }
    await work.begin({
      timer,
      everyMs: wish.everyDays * dayMs,
      perform: (signal) => setProofs.prove(set, wish, signal),
    })
  }

  async #verifySet(timer: Timer): Promise<void> {
    const { sets, store, timers, work, verifications } = this.#deps
    const set = await sets.get(timer.subject)
    const { everyDays, samplePercent = 100 } = set?.definition.settings.verification ?? {}
    if (!set?.enabled || everyDays === undefined) {
      await timers.advance(store.tables(), timer, null)
      return
    }
    await work.begin({
      timer,
      everyMs: everyDays * dayMs,
      perform: (signal) => verifications.verifySet(set, samplePercent, signal),
    })
  }
}
