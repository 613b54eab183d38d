import type { ByteSource } from '@palisade/virtual-disk'
import type { FileSystemFacts } from '../facts.ts'
import { formatUuid } from '../superblock-fields.ts'
import { compatible, incompatible, readSuperBlock, type SuperBlock } from './super-block.ts'

/** What an ext2, ext3 or ext4 says about itself in its super block. */
export async function recogniseExt(volume: ByteSource): Promise<FileSystemFacts | undefined> {
  const file = await readSuperBlock(volume)
  if (file === undefined) return undefined
  const { blockCount, freeBlockCount, blockSizeBytes, label, uuid } = file
  return {
    name: generation(file),
    label,
    id: formatUuid(uuid),
    usedBytes: freeBlockCount <= blockCount ? (blockCount - freeBlockCount) * blockSizeBytes : undefined,
  }
}

function generation(file: SuperBlock): string {
  if ((file.incompatible & (incompatible.extents | incompatible.is64Bit)) !== 0) return 'ext4'
  return (file.compatible & compatible.journal) === 0 ? 'ext2' : 'ext3'
}
