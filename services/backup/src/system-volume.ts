import type { VolumeDescription } from '@palisade/agent-protocol'

/** What the EFI specification (section 5.3.3) calls the type of a system partition. */
const efiSystemPartition = 'c12a7328-f81f-11d2-ba4b-00a0c93ec93b'

/** Whether a volume holds nothing but what starts a system; agents that do not say so are helped by the partition's type. */
export function isSystemVolume({ isSystem, partitionType }: VolumeDescription): boolean {
  return isSystem ?? partitionType.toLowerCase() === efiSystemPartition
}

/** Which disk a volume is on; agents that do not say so name volumes by the path of the disk. */
export function diskOf({ diskId, sourcePath }: VolumeDescription): string {
  return diskId ?? sourcePath
}
