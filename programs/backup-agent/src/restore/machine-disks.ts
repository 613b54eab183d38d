import type { TaskContext } from '../tasks/task-context.ts'
import type { Destination } from './destination.ts'
import { type DisksToPlan, type PlannedDisk, planDisks } from './planned-disk.ts'

/**
 * Plans the disks of a machine restore: which there are, which volumes are on each and where. Asks the server which
 * chunks are stored; writes nothing.
 *
 * The first disk is the one that the machine starts from; the others follow in the order in which the machine is to
 * see them. For now each volume has a disk of its own, and the boot volume's comes first.
 *
 * @throws TaskFailure when the revisions cannot be read or the format cannot hold them
 */
export async function planMachineDisks(
  request: DisksToPlan,
  destination: Destination,
  context: TaskContext,
): Promise<readonly PlannedDisk[]> {
  const bootFirst = request.revisions.toSorted(
    (one, other) => Number(other.volume.isBoot) - Number(one.volume.isBoot),
  )
  return planDisks({ ...request, revisions: bootFirst }, destination, context)
}
