/**
 * Proofs that are due: a restore of the newest revisions of a set, whose machine is proved and removed.
 *
 *     wait until the agent is there and at nothing ──> enter the restore ──> watch it to its end
 *          └───────────── a backup begins: cancel, and wait again ─────────────┘
 *
 * The verdict comes to the revisions with the end of the restore, whoever watches. A server that is restarted in between leaves
 * the restore to the agent, and is due again.
 */

import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { JobPostponed } from '@palisade/platform'
import type { ActionOutcome } from '../actions/action.ts'
import type { Actions } from '../actions/actions.ts'
import type { AgentLinks } from '../agents/agent-links.ts'
import { domainOf } from '../computer-id.ts'
import type { Computer, Computers } from '../computers/computers.ts'
import { RequestInvalid } from '../envelope.ts'
import { bootObstacles, capabilitiesOf, capabilityObstacles } from '../machines/checks.ts'
import { machineMessages } from '../machines/messages.ts'
import { proveTimeoutSecondsDefault } from '../machines/read-proof.ts'
import { enterMachineRestore, type MachineRestoreDependencies } from '../machines/start-machine-restore.ts'
import { chooseRevisions } from '../restore/chosen-revisions.ts'
import { restoreObstacles } from '../restore/restore-rules.ts'
import type { Revision } from '../revisions/revisions.ts'
import type { ProofSettings } from '../sets/set-definition.ts'
import type { BackupSet } from '../sets/sets.ts'
import { diskOf, isSystemVolume } from '../system-volume.ts'
import type { RestoreRecord } from '../tasks/task.ts'
import { fittingSize } from './fitting-size.ts'

/** What proofs need to choose revisions, to make machines of them, and to write down what came of it. */
export interface SetProofDependencies
  extends Pick<
    MachineRestoreDependencies,
    'hosts' | 'tasks' | 'dispatch' | 'seal' | 'revisions' | 'validations'
  > {
  readonly actions: Actions
  readonly computers: Computers
  readonly links: AgentLinks
  /** How often it is looked how far a proof is, in milliseconds. */
  readonly everyMs: number
}

/** A proof that had to give way is tried again after this long. */
const retryAfterMs = 20_000

/** Proves now and then that what sets have backed up starts. */
export class SetProofs {
  readonly #deps: SetProofDependencies
  /** The computers with a proof under way, by their domains: one at a time. */
  readonly #busy = new Set<string>()

  constructor(deps: SetProofDependencies) {
    this.#deps = deps
  }

  /**
   * Proves a set, and says in an action what came of it. A set without revisions is none to prove.
   *
   * @throws JobPostponed when the agent is away or at something else, or comes to something else in between
   * @throws the signal's reason
   */
  async prove(set: BackupSet, wish: ProofSettings, signal: AbortSignal): Promise<void> {
    const { computers, revisions, links, tasks } = this.#deps
    const domain = domainOf(set)
    const computer = await computers.find(set)
    const newest = newestToChoose(await revisions.ofSet(set, set.id))
    if (computer === undefined || newest.length === 0) return
    const isFree = links.isOnline(computer) && (await tasks.unfinished(computer)).length === 0
    if (!isFree || this.#busy.has(domain)) {
      throw new JobPostponed('the agent is away or has something to do', retryAfterMs)
    }
    this.#busy.add(domain)
    try {
      await this.#proveNow(computer, set, newest, wish, signal)
    } finally {
      this.#busy.delete(domain)
    }
  }

  async #proveNow(
    computer: Computer,
    set: BackupSet,
    newest: readonly Revision[],
    wish: ProofSettings,
    signal: AbortSignal,
  ): Promise<void> {
    const { actions } = this.#deps
    const action = await actions.enter(set, 'prove-set', { setId: set.id })
    const beginning = await this.#begin(computer, newest, wish).catch(async (error: unknown) => {
      // The agent has gone, or a revision: nothing is under way, and the proof is tried again.
      if (error instanceof RequestInvalid)
        await actions.end(action.id, { state: 'ERROR', reason: error.message })
      throw error
    })
    if ('obstacle' in beginning) return actions.end(action.id, { state: 'ERROR', reason: beginning.obstacle })
    const { restore, gaveWay } = await this.#watch(computer, beginning.restoreId, signal)
    await actions.end(action.id, outcomeOf(restore, gaveWay))
    if (gaveWay && restore.state === 'CANCELED') throw new JobPostponed('a backup has begun', retryAfterMs)
  }

  /** @returns the restore that the agent was told of, or what stands against it */
  async #begin(
    computer: Computer,
    newest: readonly Revision[],
    { hostId, folder, timeoutSeconds = proveTimeoutSecondsDefault, sign }: ProofSettings,
  ): Promise<{ readonly restoreId: string } | { readonly obstacle: string }> {
    const { hosts, revisions, validations } = this.#deps
    const ids = newest.map(({ id }) => id)
    const choice = await chooseRevisions(computer, ids, revisions)
    const host = await hosts.find(computer, hostId)
    if (host === undefined) return { obstacle: machineMessages.hostNotInCatalog }
    const hostOffer = await validations.offer(computer, host)
    if ('obstacle' in hostOffer) return hostOffer
    const { offer } = hostOffer
    const diskFormat = capabilitiesOf(offer).vhdx ? 'Vhdx' : 'Vhd'
    const boot = choice.found.find(({ hardware, volume }) => volume.isBoot && hardware !== null)
    const firmware = choice.found.find(({ volume }) => volume.isBoot)?.volume.firmware ?? 'bios'
    const [obstacle] = [
      ...restoreObstacles(choice.ids, choice.found, diskFormat),
      ...bootObstacles(choice.found),
      ...capabilityObstacles(firmware, choice.found, offer),
    ]
    if (obstacle !== undefined) return { obstacle }
    const machine = {
      ...({ recoveryType: 'TestRecovery', diskFormat, firmware, name: `proof ${randomUUID()}` } as const),
      ...fittingSize(boot?.hardware ?? undefined, offer),
      folder: { path: folder ?? offer.virtualDisksPath, credentials: undefined },
      switchId: undefined,
      start: false,
      instantStart: false,
      proof: { timeoutSeconds, ...(sign === undefined ? {} : { sign }) },
    }
    return { restoreId: await enterMachineRestore(computer, host, machine, choice, this.#deps) }
  }

  /** Waits for the end of a restore, which it cancels when the agent gets a backup to do. */
  async #watch(
    computer: Computer,
    restoreId: string,
    signal: AbortSignal,
  ): Promise<{ readonly restore: RestoreRecord; readonly gaveWay: boolean }> {
    const { tasks, dispatch, everyMs } = this.#deps
    let gaveWay = false
    for (;;) {
      const restore = await tasks.findRestore(computer, restoreId)
      if (restore === undefined) throw new Error(`restore ${restoreId} is gone`)
      if (restore.endedAt !== null) return { restore, gaveWay }
      const hasBackup = (await tasks.unfinished(computer)).some(({ kind }) => kind === 'backup')
      if (hasBackup && !gaveWay) {
        gaveWay = true
        await tasks.requestCancel(computer, 'restore', restoreId)
        dispatch.cancel(computer, 'restore', restoreId)
      }
      await delay(everyMs, undefined, { signal })
    }
  }
}

/**
 * The newest of each volume, but for system volumes that come along with a boot volume: they are to be of the run that this
 * was backed up in, which need not be the newest.
 *
 * @param revisions in the order of their ids
 */
function newestToChoose(revisions: readonly Revision[]): readonly Revision[] {
  const newest = [...new Map(revisions.map((revision) => [revision.volume.deviceId, revision])).values()]
  const boots = newest.filter(({ volume }) => volume.isBoot && !isSystemVolume(volume))
  const disks = new Set(boots.map(({ volume }) => diskOf(volume)))
  return newest.filter(({ volume }) => !isSystemVolume(volume) || !disks.has(diskOf(volume)))
}

function outcomeOf({ state, proof, error }: RestoreRecord, gaveWay: boolean): ActionOutcome {
  if (proof !== null) {
    const states = { runs: 'SUCCESS', unclear: 'WARNING', fails: 'ERROR' } as const
    return { state: states[proof.verdict], reason: proof.verdict === 'runs' ? '' : proof.reason }
  }
  if (error !== null) return { state: 'ERROR', reason: `${error.code}: ${error.message}` }
  const isForBackup = gaveWay && state === 'CANCELED'
  return {
    state: isForBackup ? 'WARNING' : 'ERROR',
    reason: isForBackup ? 'a backup began; the proof will be tried again' : 'it was cancelled',
  }
}
