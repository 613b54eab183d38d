import { MIB } from '../extent.ts'
import { guidBytes, randomGuid } from '../guid.ts'
import { encodeDynamicHeader } from '../vhd/dynamic-header.ts'
import { encodeFooter, vhdChecksum } from '../vhd/footer.ts'
import { geometryOf } from '../vhd/geometry.ts'
import { DYNAMIC_HEADER_OFFSET } from '../vhd/layout.ts'

const BLOCK_SIZE_BYTES = 2 * MIB
const SECTOR_SIZE_BYTES = 512
const LOCATOR_OFFSET = 2048
const FIRST_BLOCK_OFFSET = 4096

/** A differencing VHD that has some sectors of its own. */
export function differencingVhd(of: {
  readonly sizeBytes: number
  readonly parentId: string
  readonly parentName: string
  readonly uniqueId?: string
  readonly sectors: ReadonlyMap<number, Uint8Array>
}): Buffer {
  const footer = encodeFooter({
    type: 'differencing',
    dynamicHeaderOffsetBytes: DYNAMIC_HEADER_OFFSET,
    timestampSeconds: 1,
    sizeBytes: of.sizeBytes,
    geometry: geometryOf(of.sizeBytes),
    uniqueId: of.uniqueId ?? randomGuid(),
  })
  const blockCount = Math.ceil(of.sizeBytes / BLOCK_SIZE_BYTES)
  const table = Buffer.alloc(SECTOR_SIZE_BYTES, 0xff)
  const sectorsPerBlock = BLOCK_SIZE_BYTES / SECTOR_SIZE_BYTES
  const blocks: Buffer[] = []
  for (let block = 0; block < blockCount; block++) {
    const own = [...of.sectors].filter(([sector]) => Math.floor(sector / sectorsPerBlock) === block)
    if (own.length === 0) continue
    const place = FIRST_BLOCK_OFFSET + blocks.length * (SECTOR_SIZE_BYTES + BLOCK_SIZE_BYTES)
    table.writeUInt32BE(place / SECTOR_SIZE_BYTES, block * 4)
    const bytes = Buffer.alloc(SECTOR_SIZE_BYTES + BLOCK_SIZE_BYTES)
    for (const [sector, content] of own) {
      const index = sector % sectorsPerBlock
      const at = index >>> 3
      bytes.writeUInt8(bytes.readUInt8(at) | (0x80 >>> (index & 7)), at)
      bytes.set(content, SECTOR_SIZE_BYTES * (1 + index))
    }
    blocks.push(bytes)
  }
  const front = Buffer.alloc(FIRST_BLOCK_OFFSET)
  const path = Buffer.from(`.\\${of.parentName}`, 'utf16le')
  front.set(footer)
  front.set(headerWithParent(blockCount, of.parentId, of.parentName, path.byteLength), DYNAMIC_HEADER_OFFSET)
  front.set(table, 1536)
  front.set(path, LOCATOR_OFFSET)
  return Buffer.concat([front, ...blocks, footer])
}

function headerWithParent(
  entryCount: number,
  parentId: string,
  parentName: string,
  pathSize: number,
): Buffer {
  const header = encodeDynamicHeader({
    tableOffsetBytes: 1536,
    tableEntryCount: entryCount,
    blockSizeBytes: BLOCK_SIZE_BYTES,
  })
  header.set(guidBytes(parentId, 'printed'), 40)
  header.set(Buffer.from(parentName, 'utf16le').swap16(), 64)
  header.write('W2ru', 576, 'latin1')
  header.writeUInt32BE(SECTOR_SIZE_BYTES, 580)
  header.writeUInt32BE(pathSize, 584)
  header.writeBigUInt64BE(BigInt(LOCATOR_OFFSET), 592)
  header.writeUInt32BE(vhdChecksum(header, 36), 36)
  return header
}
