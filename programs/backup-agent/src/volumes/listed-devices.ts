import type { BlockDevice } from './machine.ts'

const leftOut = /^(loop|ram|zram|fd|sr|nbd)\d/
/** LVM gives the parts of snapshots, pools and mirrors an id of 64 letters with a suffix. */
const lvmPart = /^LVM-.{64}-/

/**
 * Whether a device is a disk of this machine's own, or what is made of some: not devices that are made of files or memory, nor media
 * for floppy and optical drives, empty drives, parts of mappings that only LVM uses, and disks that a mapping or a RAID is
 * made of as a whole.
 *
 * @param device no partition: those go with their disks
 */
export function isOwnDisk(device: BlockDevice, all: readonly BlockDevice[]): boolean {
  const isPartOfOther = all.some(({ slaves }) => slaves.includes(device.name))
  return (
    device.partition === undefined &&
    device.sizeBytes > 0 &&
    !leftOut.test(device.name) &&
    !lvmPart.test(device.mapping?.uuid ?? '') &&
    // The origin of a snapshot is a part of it as well, and a volume all the same.
    (!isPartOfOther || device.mapping !== undefined)
  )
}
