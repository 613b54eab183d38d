/**
 * The names in a folder of an NTFS. Little-endian. An index is a tree, of which the root lies in the record and the
 * other nodes in blocks; all of them are gone through, whatever their order.
 *
 *     $INDEX_ROOT   8 block size u32   16 node
 *     block         0 "INDX"   4 update sequence   24 node
 *     node          0 first entry u32   4 end of the entries u32
 *     entry         0 record u48   8 length u16   10 key length u16   12 flags u16 (2: the last, without a key)
 *                   80 name length u8   82 name
 */
import { applyUpdateSequence, attributeTypes } from './record.ts'
import type { NtfsVolume } from './volume.ts'

const indexName = '$I30'
const rootNodeAt = 16
const blockNodeAt = 24
const isLast = 2
const entryNameAt = 82
/** The folders that are looked into are smaller. */
const blocksSizeMaxBytes = 8 * 1024 * 1024

/**
 * The records of what is in a folder, by name in lower case; empty when it is no folder or damaged.
 *
 * @throws DiskFailure when the index lies beyond the volume's end
 */
export async function readFolder(ntfs: NtfsVolume, record: number): Promise<ReadonlyMap<string, number>> {
  const names = new Map<string, number>()
  const root = await ntfs.stream(record, attributeTypes.indexRoot, indexName)
  if (root?.kind !== 'resident' || root.bytes.length < rootNodeAt + 16) return names
  readNode(root.bytes.subarray(rootNodeAt), names)
  const blockSizeBytes = root.bytes.readUInt32LE(8)
  const blocks = await ntfs.stream(record, attributeTypes.indexAllocation, indexName)
  if (blocks === undefined || blockSizeBytes < 512 || blockSizeBytes % 512 !== 0) return names
  const bytes = await ntfs.read(blocks, blocksSizeMaxBytes)
  for (let at = 0; at + blockSizeBytes <= bytes.length; at += blockSizeBytes) {
    const block = bytes.subarray(at, at + blockSizeBytes)
    const isUsed = block.toString('latin1', 0, 4) === 'INDX' && applyUpdateSequence(block)
    if (isUsed) readNode(block.subarray(blockNodeAt), names)
  }
  return names
}

function readNode(node: Buffer, names: Map<string, number>): void {
  const end = Math.min(node.readUInt32LE(4), node.length)
  for (let at = node.readUInt32LE(0); at + 16 <= end; ) {
    const length = node.readUInt16LE(at + 8)
    if (length < 16 || at + length > end || (node.readUInt16LE(at + 12) & isLast) !== 0) return
    if (length > entryNameAt) {
      const nameEnd = at + entryNameAt + node.readUInt8(at + 80) * 2
      if (nameEnd > at + length) return
      names.set(node.toString('utf16le', at + entryNameAt, nameEnd).toLowerCase(), node.readUIntLE(at, 6))
    }
    at += length
  }
}
