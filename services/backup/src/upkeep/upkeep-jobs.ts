import { type Clock, JobPostponed, type JobQueue, type Lease, type Log, type Store } from '@palisade/platform'
import { type CollectReport, isVaultFailure, type Vault } from '@palisade/vault'
import type { Actions } from '../actions/actions.ts'
import { domainOf } from '../computer-id.ts'
import type { Computers } from '../computers/computers.ts'
import type { BackupConfiguration } from '../configuration.ts'
import type { SetProofs } from '../proofs/set-proofs.ts'
import type { Damage } from '../revisions/damage.ts'
import type { Revisions } from '../revisions/revisions.ts'
import { enterScheduledRun } from '../sets/scheduled-runs.ts'
import type { SetRuns } from '../sets/set-runs.ts'
import type { Sets } from '../sets/sets.ts'
import type { Timer, Timers } from '../timers.ts'
import type { DeletionTrouble } from './deletion-trouble.ts'
import type { Purge } from './purge.ts'
import type { RevisionRemoval } from './revision-removal.ts'
import type { Verifications } from './verifications.ts'

const dayMs = 86_400_000
/** How often what can be taken back no more is removed. */
const purgeEveryMs = 15 * 60_000
/** A clock that goes back by less is being corrected, and what ran a little early is not to run again. */
const setBackMinMs = 3_600_000
/** Work that only had to give way to backups and restores is tried again after this long. */
const retryWhenBusyAfterMs = 20_000

/** What upkeep works on: everything that happens without a caller. */
export interface UpkeepDependencies {
  readonly store: Store
  readonly vault: Vault
  readonly sets: Sets
  readonly actions: Actions
  readonly runs: SetRuns
  readonly timers: Timers
  readonly removal: RevisionRemoval
  readonly trouble: DeletionTrouble
  readonly purge: Purge
  readonly verifications: Verifications
  readonly computers: Computers
  readonly revisions: Revisions
  readonly damage: Damage
  readonly setProofs: SetProofs
  readonly clock: Clock
  readonly log: Log
  readonly upkeep: BackupConfiguration['upkeep']
}

/** Some work, and when it is due again after it was done. */
interface Work {
  /** How long after its beginning it is due again; null when it is done with. */
  readonly everyMs: number | null
  perform(signal: AbortSignal): Promise<void>
}

/** What the backup service does by itself: runs of sets, verifications, proofs, repairs and collections, by their timers. */
export class UpkeepJobs implements JobQueue<Timer> {
  readonly #deps: UpkeepDependencies
  /** When it was asked last what is due. */
  #polledAt = Number.POSITIVE_INFINITY

  constructor(deps: UpkeepDependencies) {
    this.#deps = deps
  }

  /** To be called before it is asked what is due: puts right what a clock that was ahead has left, and takes up runs. */
  async beforePoll(now: number): Promise<void> {
    if (now < this.#polledAt - setBackMinMs) await this.#bringForward(now)
    this.#polledAt = now
    await this.#deps.runs.sweep()
  }

  due(nowMs: number): Promise<Timer[]> {
    return this.#deps.timers.due(nowMs)
  }

  nextDueAt(nowMs: number): Promise<number | undefined> {
    return this.#deps.timers.nextDueAt(nowMs)
  }

  nameOf({ kind, subject }: Timer): string {
    return `${kind} ${subject}`
  }

  /** Verifications that take hours keep no set from running. */
  laneOf({ kind }: Timer): string {
    return kind
  }

  claim(timer: Timer, lease: Lease, nowMs: number): Promise<boolean> {
    return this.#deps.timers.claim(timer, lease, nowMs)
  }

  renew(timer: Timer, lease: Lease): Promise<boolean> {
    return this.#deps.timers.renew(timer, lease)
  }

  async giveBack(timer: Timer, holder: string, dueAt: number): Promise<void> {
    // A run stays due at its time, which says when it is cancelled, and is tried again when the lease has run out.
    if (timer.kind !== 'run-set') await this.#deps.timers.release(timer, holder, dueAt)
  }

  async run(timer: Timer, holder: string, signal: AbortSignal): Promise<void> {
    const { clock, store, timers } = this.#deps
    if (timer.kind === 'run-set') return this.#runSet(timer, holder)
    const beganAt = clock.now()
    const work = await this.#workOf(timer)
    if (!work) {
      await timers.advance(store.tables(), timer, null)
      await timers.free(timer, holder)
      return
    }
    const { everyMs, perform } = work
    await this.#givingWay(() => perform(signal))
    // The clock may have been set back meanwhile.
    const nextDueAt = everyMs === null ? null : Math.min(beganAt, clock.now()) + everyMs
    await timers.release(timer, holder, nextDueAt)
  }

  async #runSet(timer: Timer, holder: string): Promise<void> {
    const { timers, runs } = this.#deps
    await enterScheduledRun(timer, this.#deps)
    await timers.free(timer, holder)
    await runs.sweep()
  }

  /** @throws JobPostponed when the vault is busy with backups and restores */
  async #givingWay(perform: () => Promise<void>): Promise<void> {
    try {
      await perform()
    } catch (err) {
      if (!isVaultFailure(err, 'busy')) throw err
      this.#deps.log.warn({ err }, 'upkeep waits for backups and restores')
      throw new JobPostponed('backups and restores use the vault', retryWhenBusyAfterMs, { cause: err })
    }
  }

  /**
   * At the start, and when the clock was set back: what is due later than it would be if it were set now was set while the
   * clock was ahead, and would not be done until that time has come again.
   */
  async #bringForward(now: number): Promise<void> {
    const { sets, timers, upkeep, log } = this.#deps
    for (const id of await sets.enabledIds()) {
      // A set that cannot be read holds up nothing else.
      await sets
        .bringTimersForward(id)
        .catch((err: unknown) => log.error({ err, set: id }, 'the timers of a set cannot be put right'))
    }
    await timers.bringForward('repair', now)
    await timers.bringForward('verify-computer', now)
    await timers.setAtLatest('collect', '', now + upkeep.collectEverySeconds * 1000)
    await timers.setAtLatest('purge', '', now)
  }

  /** @returns undefined when nothing asks for it any more */
  async #workOf({ kind, subject }: Timer): Promise<Work | undefined> {
    if (kind === 'verify-set') return this.#verifySet(subject)
    if (kind === 'prove-set') return this.#proveSet(subject)
    if (kind === 'verify-computer') return this.#verifyComputer(subject)
    if (kind === 'repair') return this.#repair(subject)
    if (kind === 'purge') return this.#purge()
    return this.#collect()
  }

  #purge(): Work {
    const { purge } = this.#deps
    return { everyMs: purgeEveryMs, perform: (signal) => purge.removeDue(signal) }
  }

  #collect(): Work {
    const { vault, removal, trouble, log, upkeep } = this.#deps
    return {
      everyMs: upkeep.collectEverySeconds * 1000,
      perform: async (signal) => {
        const isAllGone = await removal.finish()
        const options = {
          graceMs: upkeep.keepUnneededSeconds * 1000,
          expectedRevisions: await this.#expectedRevisions(),
          signal,
        }
        const report = await vault.collect(options).catch((error: unknown) => {
          trouble.note(error)
          throw error
        })
        if (isAllGone) trouble.end()
        log.info(report, 'the vault was collected')
        await this.#noteDamage(report)
        for (const { domain, revision } of report.revisionsUnread) {
          const parameters = { computer: domain, revision }
          log.error(
            parameters,
            'a revision cannot be read or is not in the vault, and nothing of its computer is freed until it is deleted',
          )
        }
      },
    }
  }

  /**
   * Lets the vault forget the chunks of a computer that are damaged, when they still are: the next backup stores them
   * again, which heals every revision that needs them. Nobody else may use the computer's chunks meanwhile.
   */
  #repair(domain: string): Work {
    const { vault, computers, verifications, log } = this.#deps
    return {
      everyMs: null,
      perform: async (signal) => {
        const report = await vault.repair({ domain, readData: true, signal })
        log.warn({ computer: domain, ...report }, 'the vault was repaired: back this computer up again')
        const computer = await computers.ofDomain(domain)
        if (!computer) return
        await verifications.noteLost(computer, report.revisions)
        await verifications.lookAgain(computer, signal)
      },
    }
  }

  #verifyComputer(domain: string): Work {
    const { computers, verifications } = this.#deps
    return {
      everyMs: null,
      perform: async (signal) => {
        const computer = await computers.ofDomain(domain)
        if (computer) await verifications.verifyComputer(computer, signal)
      },
    }
  }

  /** What is listed must be in the vault: a storage that does not show it may err, and what it needs is not freed. */
  async #expectedRevisions(): Promise<(domain: string) => Promise<string[]>> {
    const { computers, revisions } = this.#deps
    const computerOf = new Map((await computers.all()).map((computer) => [domainOf(computer), computer]))
    return async (domain) => {
      const computer = computerOf.get(domain)
      return computer ? (await revisions.listedIds(computer)).map(String) : []
    }
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

  async #proveSet(id: string): Promise<Work | undefined> {
    const { sets, setProofs } = this.#deps
    const set = await sets.get(id)
    const wish = set?.definition.settings.proof
    if (!set?.enabled || wish === undefined) return undefined
    return {
      everyMs: wish.everyDays * dayMs,
      perform: (signal) => setProofs.prove(set, wish, signal),
    }
  }

  async #verifySet(id: string): Promise<Work | undefined> {
    const { sets, verifications } = this.#deps
    const set = await sets.get(id)
    const { everyDays, samplePercent = 100 } = set?.definition.settings.verification ?? {}
    if (!set?.enabled || everyDays === undefined) return undefined
    return {
      everyMs: everyDays * dayMs,
      perform: (signal) => verifications.verifySet(set, samplePercent, signal),
    }
  }
}
