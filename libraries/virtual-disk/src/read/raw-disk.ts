import { type ByteSource, requireWithin } from '../byte-source.ts'
import type { VirtualDisk } from '../disk/virtual-disk.ts'
import { MIB } from '../extent.ts'
import { NO_GUID } from '../guid.ts'
import type { SectorSizeBytes } from '../partitions/partition-table.ts'

/** A disk whose file is its content, such as an image or a block device. It has one extent: all of it. */
export function rawDisk(source: ByteSource, logicalSectorSizeBytes: SectorSizeBytes = 512): VirtualDisk {
  return {
    format: 'raw',
    allocation: 'fixed',
    sizeBytes: source.sizeBytes,
    blockSizeBytes: 2 * MIB,
    logicalSectorSizeBytes,
    diskId: NO_GUID,
    linkId: NO_GUID,
    parent: undefined,
    read: (target, position) => source.read(target, position),
    async *extents(range = { offsetBytes: 0, sizeBytes: source.sizeBytes }) {
      requireWithin(source, range.offsetBytes, range.sizeBytes)
      if (range.sizeBytes > 0) yield { ...range, kind: 'data' }
    },
  }
}
