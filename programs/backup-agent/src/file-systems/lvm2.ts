/**
 * A physical volume of LVM2 (libyal, "Logical Volume Manager"), little-endian: a label in one of the first four sectors.
 *
 *     label   0 "LABELONE"   20 offset of the header u32   24 "LVM2 001"
 *     header  0 UUID, 32 letters and digits
 */
import { type ByteSource, readBytes } from '@palisade/virtual-disk'
import type { FileSystemFacts } from './facts.ts'

const sectorSizeBytes = 512
const groups = /^(.{6})(.{4})(.{4})(.{4})(.{4})(.{4})(.{6})$/

/** A member of a volume group. Its logical volumes are what is backed up, not itself. */
export async function recogniseLvm2(volume: ByteSource): Promise<FileSystemFacts | undefined> {
  const sectors = await readBytes(volume, 0, 4 * sectorSizeBytes)
  for (let at = 0; at < sectors.length; at += sectorSizeBytes) {
    const sector = sectors.subarray(at, at + sectorSizeBytes)
    if (sector.toString('latin1', 0, 8) !== 'LABELONE' || sector.toString('latin1', 24, 32) !== 'LVM2 001')
      continue
    const header = sector.readUInt32LE(20)
    return {
      name: 'lvm2',
      label: '',
      id: groupUuid(sector.toString('latin1', header, header + 32)),
      usedBytes: undefined,
    }
  }
  return undefined
}

function groupUuid(letters: string): string {
  return /^[\w!#]{32}$/.test(letters) ? letters.replace(groups, '$1-$2-$3-$4-$5-$6-$7') : ''
}
