/**
 * A restore as a virtual machine, step by step:
 *
 *     validating  the host is there and would take the machine
 *     plan, writing, finishing   as in every restore, with the disks of a machine: see `restore/restore.ts`
 *     naming, defining, starting   see `make-machine.ts`
 *
 * Up to `finishing` nothing is left of a restore that fails, is cancelled or is killed, and the host has heard of nothing.
 */
import type { MachineToMake, Outcome, ServerMessage } from '@palisade/agent-protocol'
import { type Destination, placeOf } from '../destinations/destination.ts'
import { planMachineDisks } from '../disk-layout/machine-disks.ts'
import type { PlanDisks, PlannedDisks } from '../disk-layout/planned-disk.ts'
import { checkDefinition } from '../hosts/check-definition.ts'
import { HostFailure, nameTaken } from '../hosts/failure.ts'
import type { Hosts } from '../hosts/hosts.ts'
import { writeDisks } from '../restore/write-disks.ts'
import { isSharePath } from '../shares/share-path.ts'
import type { MachineContext } from './machine-context.ts'
import { definitionOf, recordOf } from './machine-record.ts'
import { makeMachine } from './make-machine.ts'
import { replaceable, whyReplaceable } from './replaceable-folder.ts'
import { hostFailed, retryOnHost } from './retry-on-host.ts'
import { instantHostOf, writeEmptyDisks } from './start-instantly.ts'

/** The server's message: a restore, and the machine that its disks are for. */
export type MachineRestoreRequest = Extract<ServerMessage, { type: 'start-machine-restore' }>

/** Restores revisions as a machine. Rejects with a TaskFailure or the signal's reason, having taken back what it began. */
export async function restoreMachine(
  request: MachineRestoreRequest,
  context: MachineContext,
): Promise<Outcome> {
  const { machine } = request
  const { path } = request.destination
  const { hosts, progress, signal, retryPolicy, journal, shares } = context
  progress.begin('validating', 0)
  const why = isSharePath(path) ? undefined : await whyReplaceable(path)
  if (why !== undefined) throw replaceable(why)
  await retryOnHost(
    async () => {
      await requireUsable(machine, hosts)
      if (machine.instantStart) instantHostOf(machine, context)
    },
    { signal, retryPolicy },
  )
  const plan = planFor(machine, hosts, { signal, retryPolicy })
  let work: PlannedDisks | undefined
  const writeEmpty = async (planned: PlannedDisks, folder: Destination) => {
    await writeEmptyDisks(folder, planned)
    work = planned
  }
  const write = machine.instantStart ? [writeEmpty] : []
  const { destination, disks, sizeBytes } = await writeDisks(request, plan, context, ...write)
  progress.beginDone('naming', sizeBytes)
  const record = recordOf(machine, shares.seal)
  const key = { task: 'restore', id: request.id } as const
  await journal.record(key, { state: 'naming', ...placeOf(destination), disks, machine: record })
  return makeMachine(key, context, sizeBytes, work)
}

/** @throws HostFailure when the host cannot be used, or has another machine of this name */
async function requireUsable({ id, name, host }: MachineToMake, hosts: Hosts): Promise<void> {
  const { driver } = hosts.find(host)
  const [reason] = await driver.unsupportedReasons()
  if (reason !== undefined) {
    const code = reason.code === 'host-unreachable' ? 'host-unreachable' : 'host-error'
    throw new HostFailure({ code }, reason.message)
  }
  const machineOfName = await driver.find(name)
  if (machineOfName !== undefined && machineOfName.id !== id) throw nameTaken(name)
}

/** Plans the disks, and asks whether the host takes a machine with them, before anything is written. */
function planFor(machine: MachineToMake, hosts: Hosts, how: Parameters<typeof retryOnHost>[1]): PlanDisks {
  return async (request, keys, destination, context) => {
    const disks = await planMachineDisks(request, keys, destination, context)
    const files = disks.map(({ extension }, index) => destination.pathOf(`${index}.${extension}`))
    const { driver } = hosts.find(machine.host)
    const host = await retryOnHost(async () => {
      return { capabilities: await driver.capabilities(), switches: await driver.virtualSwitches() }
    }, how)
    try {
      checkDefinition(definitionOf(machine, files), host)
    } catch (error) {
      throw error instanceof HostFailure ? hostFailed(error) : error
    }
    return disks
  }
}
