/**
 * What a machine restore does when its disks are written and verified:
 *
 *     naming    each disk gets its name, as in every restore
 *     defining  the host is asked for the machine, under an id that was known before
 *     starting  if that was asked for
 *     copying   after both, when it is started at once: see `start-instantly.ts`
 *     proving   instead of both, when it is made to be proved: see `prove-machine.ts`
 *
 *     naming ──> defining ──> starting ──> done
 *       └───────────┴────────────┴─ goes on after a restart
 *        failure, cancellation, proof: remove the machine and the disks, which a restart goes on with as well
 *
 * So there is a whole machine in the end, or nothing of it. A machine that is whole and does not start is kept: to make it
 * once more would take as long again, and whoever looks after the host may be able to start it.
 */

import type { MachineToMake, Outcome } from '@palisade/agent-protocol'
import { taskFailures } from '@palisade/agent-protocol/wire'
import { describe } from '@palisade/start-up'
import { type Destination, placeOf } from '../destinations/destination.ts'
import { destinationAt } from '../destinations/destination-at.ts'
import type { PlannedDisks } from '../disk-layout/planned-disk.ts'
import { asTaskFailure } from '../failure.ts'
import { HostFailure } from '../hosts/failure.ts'
import { nameDisks } from '../restore/name-disks.ts'
import type { Journal, MachineRecord, TaskKey, TaskRecord } from '../state/journal.ts'
import { isStopping } from '../tasks/task-context.ts'
import type { MachineContext } from './machine-context.ts'
import { definitionOf, machineOf } from './machine-record.ts'
import { proveMachine } from './prove-machine.ts'
import { hostFailed, retryOnHost } from './retry-on-host.ts'
import { cutOff, instantOutcome, isMovedOver, startInstantly } from './start-instantly.ts'
import { filesOf, unmakeMachine } from './unmake-machine.ts'

/** What the journal says of a restore whose disks are to become a machine. */
type MachineState = Extract<TaskRecord, { machine?: MachineRecord }> & { readonly machine: MachineRecord }

/** Whether a restore has come to its machine; a restart goes on with it by {@link makeMachine}. */
export function isOfMachine(record: TaskRecord | undefined): record is MachineState {
  return record !== undefined && 'machine' in record && record.machine !== undefined
}

/**
 * Goes on from what the journal says of a machine restore, to its end. Rejects only when the agent is stopping.
 *
 * @param sizeBytes of the volumes, which have been written; after a restart that is not known
 * @param work what the disks of a machine hold that is started at once; nothing after a restart
 */
export async function makeMachine(
  key: TaskKey,
  context: MachineContext,
  sizeBytes = 0,
  work?: PlannedDisks,
): Promise<Outcome> {
  const { shares, signal, journal, log, progress } = context
  const state = stateOf(key, journal)
  const credentials = shares.seal.open(state.sealedCredentials)
  const destination = destinationAt({ path: state.folder, credentials }, shares, undefined)
  const machine = machineOf(state.machine, shares.seal)
  const takeBack = async (outcome: Outcome): Promise<Outcome> => {
    progress.beginDone('removing', 0)
    const files = await filesIn(stateOf(key, journal), destination)
    const place = placeOf(destination)
    await journal.record(key, { state: 'removing', ...place, machine: state.machine, files, outcome })
    return unmakeMachine({ machine, files, outcome }, destination, context)
  }
  if (state.state === 'removing') return unmakeMachine({ ...state, machine }, destination, context)
  try {
    const { instantStart = false } = machine
    const isCutOff = instantStart && work === undefined && !(await isWhole(state, machine, context))
    if (isCutOff) throw cutOff(machine)
    const files = state.state === 'making' ? state.files : await giveNames(state, destination, journal)
    if (instantStart)
      return work === undefined
        ? instantOutcome(machine, files)
        : await startInstantly(machine, files, work, context)
    if (machine.proof === undefined) return await defineAndStart(machine, files, sizeBytes, context)
    progress.beginDone('proving', sizeBytes)
    const proof = await proveMachine(machine, files, machine.proof, context)
    return await takeBack({ state: 'SUCCESS', files: [], proof })
  } catch (error) {
    if (isStopping(signal)) throw error
    const outcome = outcomeOf(error, signal)
    log.warn({ outcome }, `removing the machine and its disks: ${describe(error)}`)
    return takeBack(outcome)
  }
}

async function isWhole(
  { state }: MachineState,
  machine: MachineToMake,
  context: MachineContext,
): Promise<boolean> {
  return state === 'making' && (await isMovedOver(machine, context))
}

/** @returns the names, which are in the journal before the host hears of them */
async function giveNames(
  state: Extract<MachineState, { state: 'naming' }>,
  destination: Destination,
  journal: Journal,
): Promise<readonly string[]> {
  const files = await nameDisks(state, state.disks, destination, journal, state.machine)
  await journal.record(state, { state: 'making', ...placeOf(destination), machine: state.machine, files })
  return files
}

async function defineAndStart(
  machine: MachineToMake,
  files: readonly string[],
  sizeBytes: number,
  { hosts, progress, signal, retryPolicy }: MachineContext,
): Promise<Outcome> {
  const { id, name } = machine
  progress.beginDone('defining', sizeBytes)
  const { driver } = hosts.find(machine.host)
  await retryOnHost(() => driver.define(definitionOf(machine, files), signal), { signal, retryPolicy })
  signal.throwIfAborted()
  const result = { files: [...files], machine: { id, name, isStarted: machine.start } }
  if (!machine.start) return { state: 'SUCCESS', ...result }
  progress.beginDone('starting', sizeBytes)
  try {
    await retryOnHost(() => driver.start(id, signal), { signal, retryPolicy })
    signal.throwIfAborted()
    return { state: 'SUCCESS', ...result }
  } catch (error) {
    signal.throwIfAborted()
    const message = `the machine ${name} is whole and does not start: ${asTaskFailure(error).message}`
    const notStarted = { ...result, machine: { id, name, isStarted: false } }
    return { state: 'ERROR', code: taskFailures.machineNotStarted, message, ...notStarted }
  }
}

function filesIn(state: MachineState, destination: Destination): Promise<readonly string[]> {
  return state.state === 'naming' ? filesOf(state.disks, destination) : Promise.resolve(state.files)
}

function outcomeOf(error: unknown, signal: AbortSignal): Outcome {
  if (signal.aborted) return { state: 'CANCELED' }
  const { code, message } = error instanceof HostFailure ? hostFailed(error) : asTaskFailure(error)
  return { state: 'ERROR', code, message }
}

function stateOf(key: TaskKey, journal: Journal): MachineState {
  const record = journal.find(key)
  if (isOfMachine(record)) return record
  throw new Error(`the journal says nothing of the machine of restore ${key.id}`)
}
