/**
 * Swap space of Linux (mkswap): "SWAPSPACE2" at the end of the first page, whose size is that of the machine.
 *
 *     1036 UUID   1052 label, 16 bytes
 */
import { type ByteSource, readBytes } from '@palisade/virtual-disk'
import type { FileSystemFacts } from './facts.ts'
import { formatUuid, textUpToZero } from './superblock-fields.ts'

const mark = 'SWAPSPACE2'
const pageSizesBytes = [4096, 8192, 16_384, 65_536]

/** What a swap space says about itself; what of it is in use only the running system knows. */
export async function recogniseSwap(volume: ByteSource): Promise<FileSystemFacts | undefined> {
  for (const pageSizeBytes of pageSizesBytes) {
    const end = await readBytes(volume, pageSizeBytes - mark.length, mark.length)
    if (end.toString('latin1') !== mark) continue
    const header = await readBytes(volume, 1024, 128)
    return {
      name: 'swap',
      label: textUpToZero(header.subarray(28, 44)),
      id: formatUuid(header.subarray(12, 28)),
      usedBytes: undefined,
    }
  }
  return undefined
}
