/**
 * A machine that runs before its disks are copied:
 *
 *     empty disk files ──> names ──> define ──> start from the vault ──> copy behind it ──> the machine uses its own files
 *                                                └── this agent lets QEMU read: see `instant/` ──┘
 *
 * Until the last step the machine is nothing without this agent: when it fails, is cancelled or is killed, machine and disks
 * are removed, with everything that the machine wrote.
 */

import type { MachineToMake, Outcome } from '@palisade/agent-protocol'
import { taskFailures } from '@palisade/agent-protocol/wire'
import { describe } from '@palisade/start-up'
import { beginDiskFile, finishDiskFile } from '@palisade/virtual-disk'
import type { Destination } from '../destinations/destination.ts'
import { LocalFolder } from '../destinations/local-folder.ts'
import { planFile } from '../disk-layout/disk-shape.ts'
import type { PlannedDisks } from '../disk-layout/planned-disk.ts'
import { TaskFailure } from '../failure.ts'
import { HostFailure } from '../hosts/failure.ts'
import { type InstantHost, startsInstantly } from '../hosts/instant-host.ts'
import { fetchForReading } from '../instant/fetch-for-reading.ts'
import { InstantDisk } from '../instant/instant-disk.ts'
import { NbdServer } from '../instant/nbd-server.ts'
import type { MachineContext } from './machine-context.ts'
import { definitionOf } from './machine-record.ts'
import { retryOnHost } from './retry-on-host.ts'

/**
 * Makes a file without content for each disk, of its full size.
 *
 * @throws TaskFailure when the folder is none of this computer, or cannot be written to
 */
export async function writeEmptyDisks(destination: Destination, { disks }: PlannedDisks): Promise<void> {
  if (!(destination instanceof LocalFolder)) {
    const message = 'a machine starts at once only from disks in a folder of this computer'
    throw new TaskFailure(taskFailures.hostFailed, message)
  }
  for (const { partialPath, plan } of disks) {
    const { virtualSizeBytes, logicalSectorSizeBytes: sectorSizeBytes } = plan
    const empty = { virtualSizeBytes, sectorSizeBytes, volumes: [], regions: [] }
    const file = await destination.createPartial(partialPath)
    try {
      const shape = planFile(empty, 'Vhdx')
      await beginDiskFile(file, shape.plan)
      await finishDiskFile(file, shape.plan)
    } finally {
      await file.close()
    }
  }
}

/** The host of a machine, as one that starts machines at once. @throws HostFailure when it cannot */
export function instantHostOf(
  { host }: Pick<MachineToMake, 'host'>,
  { hosts }: Pick<MachineContext, 'hosts'>,
): InstantHost {
  const { driver } = hosts.find(host)
  if (startsInstantly(driver)) return driver
  const message = 'this host cannot start a machine before its disks are copied; QEMU without libvirt can'
  throw new HostFailure({ code: 'host-error' }, message)
}

/** Whether a machine that an agent had started at once before it was killed is whole: it runs from its own files. */
export async function isMovedOver(machine: MachineToMake, context: MachineContext): Promise<boolean> {
  const { retryPolicy, signal } = context
  return retryOnHost(
    async () => {
      const driver = instantHostOf(machine, context)
      return (await driver.state(machine.id)) === 'running' && !(await driver.needsOrigins(machine.id))
    },
    { retryPolicy, signal },
  )
}

/** Why a restore ends whose agent was killed too early. */
export function cutOff({ name }: MachineToMake): TaskFailure {
  const message = `the agent was ended before the disks of the machine ${name} were copied, and the machine with it: restore it again`
  return new TaskFailure(taskFailures.hostFailed, message)
}

/**
 * Defines and starts a machine and copies its disks, which are read from the vault meanwhile.
 *
 * @param files empty, in the order of the disks of `work`
 * @throws TaskFailure, HostFailure or the signal's reason; the machine is to be removed then
 */
export async function startInstantly(
  machine: MachineToMake,
  files: readonly string[],
  { restoreId, disks, keys }: PlannedDisks,
  context: MachineContext,
): Promise<Outcome> {
  const { progress, signal, retryPolicy, log } = context
  const { id, name } = machine
  const driver = instantHostOf(machine, context)
  progress.begin('defining', 0)
  await retryOnHost(() => driver.define(definitionOf(machine, files), signal), { signal, retryPolicy })
  const fetch = fetchForReading(restoreId, keys, context)
  const contents = disks.map(({ plan: { virtualSizeBytes }, volumes, regions }, index) => {
    return { exportName: `disk${index}`, content: { virtualSizeBytes, volumes, regions } }
  })
  const exports = new Map(
    contents.map(({ exportName, content }) => [exportName, new InstantDisk(content, fetch)] as const),
  )
  const socketPath = await driver.originSocketPath(id)
  const server = await NbdServer.listen(socketPath, exports, (error) =>
    log.warn({}, `the machine ${name} could not read its disk: ${describe(error)}`),
  )
  try {
    progress.begin('starting', 0)
    const origins = contents.map(({ exportName, content }) => {
      return { exportName, sizeBytes: content.virtualSizeBytes }
    })
    await driver.startFrom(id, origins, signal)
    await copy(driver, id, origins, context)
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof HostFailure) throw error
    const message = `the machine ${name} was not moved to its own disks: ${describe(error)}`
    throw new TaskFailure(taskFailures.hostFailed, message, { cause: error })
  } finally {
    await server.close()
  }
  return instantOutcome(machine, files)
}

/** What came of a machine that is whole. */
export function instantOutcome({ id, name }: MachineToMake, files: readonly string[]): Outcome {
  return { state: 'SUCCESS', files: [...files], machine: { id, name, isStarted: true } }
}

async function copy(
  driver: InstantHost,
  id: string,
  disks: readonly { readonly sizeBytes: number }[],
  { progress, signal }: MachineContext,
): Promise<void> {
  const totalBytes = disks.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const counter = progress.begin('copying', totalBytes)
  const doneBytes = new Map<number, number>()
  await driver.moveOver(id, signal, (disk, { bytesDone, bytesTotal }) => {
    const part = bytesTotal === 0 ? 0 : bytesDone / bytesTotal
    doneBytes.set(disk, Math.floor((disks[disk]?.sizeBytes ?? 0) * part))
    const sum = [...doneBytes.values()].reduce((total, bytes) => total + bytes, 0)
    Atomics.store(counter, 0, BigInt(Math.min(sum, totalBytes)))
  })
}
