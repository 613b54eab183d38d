import type { BackupSource } from '@palisade/agent-protocol'
import { sourceFaultLengthMax } from '@palisade/agent-protocol/wire'
import { describe } from '@palisade/start-up'
import type { VolumeChoice } from './choice.ts'
import { type Machine, thisMachine } from './machine.ts'
import { openVolume } from './open-volume.ts'

/**
 * Looks at sources as a backup does before it begins, one after another.
 *
 * @returns for each why it cannot be backed up, or null
 */
export async function checkSources(
  sources: readonly BackupSource[],
  choice: VolumeChoice,
  machine: Machine = thisMachine,
): Promise<(string | null)[]> {
  const faults: (string | null)[] = []
  for (const source of sources) {
    try {
      await openVolume(source, machine, choice)
      faults.push(null)
    } catch (error) {
      faults.push(describe(error).slice(0, sourceFaultLengthMax))
    }
  }
  return faults
}
