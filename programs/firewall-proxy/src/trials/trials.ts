import { spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '@palisade/log'
import type { Trial, TrialResult } from '@palisade/proxy-protocol'
import { describe } from '@palisade/start-up'
import type { ManagementLink } from '../management/management-link.ts'

/** How often it is looked whether services keep requests. */
const lookMs = 1_000

/** How long a management is left alone that has no trials, since it is away or of an earlier release. */
const retryMs = 5_000

/** A process that takes longer is killed; it ends by itself before. */
const trialMaxMs = 90_000

/** What trials work with. */
export interface TrialDependencies {
  readonly link: Pick<ManagementLink, 'nextTrial' | 'trialResult'>
  readonly log: Log
  /** Whether the management may have any: services keep requests. */
  readonly areAsked: () => boolean
  /** The names of the rule sets that can be tried here. */
  readonly ruleSets: () => readonly string[]
}

/** Makes the trials that the management asks for, one after the other, each in a process of its own that gives way to all others. */
export class Trials {
  readonly #deps: TrialDependencies

  constructor(deps: TrialDependencies) {
    this.#deps = deps
  }

  /** Asks for trials until the signal is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    const { link, log, areAsked, ruleSets } = this.#deps
    while (!signal.aborted) {
      if (!areAsked()) {
        await pause(lookMs, undefined, { signal }).catch(() => undefined)
        continue
      }
      try {
        const trial = await link.nextTrial(ruleSets(), signal)
        if (trial) await link.trialResult(await this.#make(trial, signal), signal)
      } catch (error) {
        if (signal.aborted) return
        log.debug({ reason: describe(error) }, 'the management has no trials')
        await pause(retryMs, undefined, { signal }).catch(() => undefined)
      }
    }
  }

  async #make(trial: Trial, signal: AbortSignal): Promise<TrialResult> {
    try {
      const outcome = JSON.parse(await inProcessOfItsOwn(JSON.stringify(trial), signal))
      return { trial: trial.id, ...outcome }
    } catch (error) {
      this.#deps.log.warn({ reason: describe(error) }, 'a trial of stored requests failed')
      return { trial: trial.id, problem: 'The proxy could not judge the stored requests.', tried: [] }
    }
  }
}

/** @returns what the process prints */
async function inProcessOfItsOwn(input: string, signal: AbortSignal): Promise<string> {
  const command = [...process.execArgv, ...process.argv.slice(1), '--try-requests']
  const child = spawn(process.execPath, command, {
    stdio: ['pipe', 'pipe', 'inherit'],
    signal: AbortSignal.any([signal, AbortSignal.timeout(trialMaxMs)]),
    killSignal: 'SIGKILL',
  })
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve)
  })
  giveWay(child.pid)
  // One that ends before it has read everything says why by its status.
  child.stdin.on('error', () => undefined).end(input)
  const [status, output] = await Promise.all([ended, text(child.stdout)])
  if (status !== 0) throw new Error(`the process that judges ended with status ${status}`)
  return output
}

function giveWay(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // It has ended already.
  }
}
