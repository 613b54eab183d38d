/**
 * Whether a volume takes part in starting a system. The first of these that applies decides:
 *
 * - An EFI system partition (by its type in a GPT or MBR), and what this machine has mounted at /boot, /boot/efi or /efi,
 *   is a boot volume that holds only what starts a system.
 * - What this machine has mounted at / is a boot volume.
 * - NTFS with \Windows\System32, and ext2 to ext4 with /etc and programs beside it, is a boot volume; with a boot manager
 *   or kernels in the root instead, it is one that holds only what starts a system.
 * - The active partition of an MBR is a boot volume, and so is a GPT partition of a type for roots of Linux.
 * - Everything else is data. That includes systems on file systems that this agent cannot look into (XFS, btrfs,
 *   encrypted ones) on disks of other machines.
 */
import type { SystemFacts } from '../file-systems/facts.ts'
import { isEfiSystem, type PartitionFacts } from './find-partition.ts'

/** What a volume is for when a system starts; data has neither. */
export interface BootRole {
  readonly isBoot: boolean
  /** Holds only what starts a system. */
  readonly isSystem: boolean
}

const bootMountPoints: readonly string[] = ['/boot', '/boot/efi', '/efi']

/** Roots of Linux and its extended boot partition (UAPI group, "Discoverable Partitions Specification"). */
const linuxRootTypes: readonly string[] = [
  '4F68BCE3-E8CD-4DB1-96E7-FBCAF984B709',
  'B921B045-1DF0-41C3-AF44-4C6F280D3FAE',
]
const extendedBootType = 'BC13C2FF-59E6-4262-A352-B275FD6F7172'

/**
 * The role of a volume.
 *
 * @param system what was found on it; undefined when it cannot be looked into
 */
export function bootRoleOf(
  { type, isActive }: Pick<PartitionFacts, 'type' | 'isActive'>,
  mountPoints: readonly string[],
  system: SystemFacts | undefined,
): BootRole {
  const startsOthers = { isBoot: true, isSystem: true }
  const starts = { isBoot: true, isSystem: false }
  if (isEfiSystem(type)) return startsOthers
  if (mountPoints.some((place) => bootMountPoints.includes(place))) return startsOthers
  if (mountPoints.includes('/') || system?.holds === 'system') return starts
  if (system?.holds === 'boot-files' || type === extendedBootType) return startsOthers
  return isActive || linuxRootTypes.includes(type) ? starts : { isBoot: false, isSystem: false }
}
