/**
 * Proves that disks start: a machine is made of them that nobody can reach, started, watched until it shows that its system
 * runs or that it does not, and removed.
 *
 *     define ──> start ──> watch: serial line, screen, state ──> verdict ──> remove
 *                            └─ until a sign, or the time is over
 *
 * The machine writes to its disks, as every system does that starts: give it disks of its own.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { HostDriver, Screen } from '../hosts/host-driver.ts'
import type { MachineDefinition, MachineState } from '../hosts/machine.ts'
import { type Sign, signIn, signsOfFailure, signsOfLife } from './signs.ts'

/** Which machine is made for a proof, and what counts as a running system. */
export interface ProofRequest {
  /** It gets no network, whatever it is. */
  readonly machine: Omit<MachineDefinition, 'switchId' | 'recordSerial'>
  /** What else shows that the system runs, on the serial line or on a screen of text. */
  readonly signOfLife?: RegExp
  /** How long the system may take; a computer without virtualisation takes ten times as long as others. */
  readonly timeoutMs: number
  /** Whether the disk files go with the machine. */
  readonly removeDisks: boolean
  /** How often it is looked at; twice a second unless given. */
  readonly everyMs?: number
}

/**
 * - `runs`    the system said something that only a running system says
 * - `fails`   it said that it cannot start, or the machine ended
 * - `unclear` it ran until the time was over and said neither: the picture of its screen has to be looked at
 */
export type Verdict = 'runs' | 'fails' | 'unclear'

/** What came of a proof, with what there was to see. */
export interface Proof {
  readonly verdict: Verdict
  /** One sentence. */
  readonly reason: string
  /** From the start of the machine to the verdict. */
  readonly tookMs: number
  /** The screen at the time of the verdict, a PNG; undefined when the host cannot show it or the machine had ended. */
  readonly screenshot: Buffer | undefined
  /** The end of what the serial line and a screen of text said. */
  readonly output: string
}

const outputLengthMax = 4096
const observeEveryMs = 500

/** What there is to see of a machine at one moment. */
interface Observation {
  readonly state: MachineState
  readonly screen: Screen | undefined
  readonly output: string
}

/**
 * Carries out a proof. The machine is removed whatever happens; after a kill `list` and `remove` of the driver find it by
 * its id.
 *
 * @throws HostFailure when the host cannot make or start the machine; the signal's reason
 */
export async function proveRecovery(
  driver: HostDriver,
  request: ProofRequest,
  signal: AbortSignal,
): Promise<Proof> {
  const { machine, removeDisks } = request
  try {
    await driver.define({ ...machine, recordSerial: true }, signal)
    await driver.start(machine.id, signal)
    return await watch(driver, request, signal)
  } finally {
    await driver.remove(machine.id, { disks: removeDisks })
  }
}

async function watch(driver: HostDriver, request: ProofRequest, signal: AbortSignal): Promise<Proof> {
  const { machine, timeoutMs, signOfLife, everyMs = observeEveryMs } = request
  const own =
    signOfLife === undefined ? [] : [{ what: 'says what it was expected to say', pattern: signOfLife }]
  const startedAt = performance.now()
  for (;;) {
    const observation = await observe(driver, machine.id)
    const tookMs = performance.now() - startedAt
    const verdict =
      judge(observation, [...own, ...signsOfLife]) ?? (tookMs < timeoutMs ? undefined : outOfTime(tookMs))
    if (verdict !== undefined) {
      const { screen, output } = observation
      return {
        ...verdict,
        tookMs: Math.round(tookMs),
        screenshot: screen?.png,
        output: output.slice(-outputLengthMax),
      }
    }
    await delay(everyMs, undefined, { signal })
  }
}

async function observe(driver: HostDriver, id: string): Promise<Observation> {
  const state = await driver.state(id)
  const screen = state === 'running' ? await driver.screen?.(id) : undefined
  const serial = (await driver.serialOutput(id)).toString('utf8').replaceAll('\r', '')
  return { state, screen, output: [serial, screen?.text ?? ''].filter((text) => text !== '').join('\n') }
}

/** Undefined as long as nothing is decided. */
function judge(
  { state, output }: Observation,
  life: readonly Sign[],
): Pick<Proof, 'verdict' | 'reason'> | undefined {
  const lives = signIn(output, life)
  if (lives !== undefined) return { verdict: 'runs', reason: `The machine ${lives.what}.` }
  const fails = signIn(output, signsOfFailure)
  if (fails !== undefined) return { verdict: 'fails', reason: `The machine ${fails.what}.` }
  if (state === 'running') return undefined
  const ended = state === 'paused' ? 'stands still: its host could not write to a disk' : 'ended by itself'
  return { verdict: 'fails', reason: `The machine ${ended}.` }
}

function outOfTime(tookMs: number): Pick<Proof, 'verdict' | 'reason'> {
  const seconds = Math.round(tookMs / 1000)
  const reason = `The machine ran for ${seconds} seconds and said neither that its system runs nor that it does not.`
  return { verdict: 'unclear', reason }
}
