import type { ByteSource } from '../byte-source.ts'
import { DiskFailure } from '../failure.ts'
import { openVhd } from '../vhd/open.ts'
import { openVhdx } from '../vhdx/open.ts'
import { detectFormat } from './detect-format.ts'
import type { ParentOpener, ParentResolver, VirtualDisk } from './virtual-disk.ts'

/** Longer chains are a ring, or beyond what anything could still read in time. */
const CHAIN_LENGTH_MAX = 256

export interface OpenOptions {
  /** Needed for differencing disks only. */
  readonly resolveParent?: ParentResolver
}

/**
 * Opens a VHD or VHDX, told apart by content: fixed, dynamic or differencing. Nothing is written; a VHDX
 * that was not closed properly has its log replayed in memory. Damaged copies of headers and tables are
 * passed over when another is intact; `checkDisk` reports them.
 *
 * Rejects with `unrecognised-format`, `truncated`, `checksum-mismatch`, `corrupt`, `unsupported`,
 * `log-corrupt`, `parent-missing` or `parent-mismatch`; and reads of the disk reject with `truncated` or
 * `corrupt` for blocks that lie outside the file or have an impossible state.
 */
export function openDisk(source: ByteSource, options: OpenOptions = {}): Promise<VirtualDisk> {
  return openChain(source, options.resolveParent, 1)
}

async function openChain(
  source: ByteSource,
  resolveParent: ParentResolver | undefined,
  chainLength: number,
): Promise<VirtualDisk> {
  const openParent: ParentOpener = async (reference) => {
    if (chainLength >= CHAIN_LENGTH_MAX) {
      throw new DiskFailure(
        'corrupt',
        `more than ${CHAIN_LENGTH_MAX} differencing disks on top of each other`,
      )
    }
    const parentSource = await resolveParent?.(reference)
    if (parentSource === undefined) {
      const where = reference.paths[0] ?? 'an unknown place'
      throw new DiskFailure('parent-missing', `the parent disk, last seen at ${where}, was not supplied`)
    }
    const parent = await openChain(parentSource, resolveParent, chainLength + 1)
    if (parent.format !== reference.format || !reference.linkIds.includes(parent.linkId)) {
      throw new DiskFailure(
        'parent-mismatch',
        'the disk supplied as parent is another one, or was changed since',
      )
    }
    return parent
  }
  const format = await detectFormat(source)
  if (format === undefined) throw new DiskFailure('unrecognised-format', 'neither a VHD nor a VHDX')
  return format === 'vhd' ? openVhd(source, openParent) : openVhdx(source, openParent)
}
