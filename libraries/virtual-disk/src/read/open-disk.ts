import type { ByteSource } from '../byte-source.ts'
import type { ImageFormat, ParentOpener, ParentResolver, VirtualDisk } from '../disk/virtual-disk.ts'
import { DiskFailure } from '../failure.ts'
import type { SectorSizeBytes } from '../partitions/partition-table.ts'
import { openVhd } from '../vhd/open.ts'
import { openVhdx } from '../vhdx/open.ts'
import { requireFormat } from './detect-format.ts'
import { rawDisk } from './raw-disk.ts'

/** Longer chains are a ring, or beyond what anything could still read in time. */
const CHAIN_LENGTH_MAX = 256

/** How `openDisk` opens a disk. */
export interface OpenOptions {
  /**
   * The format the disk must have; told apart by content unless given. Give it wherever it is known: a guest
   * can make the inside of a fixed VHD look like another format, with a parent of its choice. `raw` is never
   * guessed: any damaged disk would be one.
   */
  readonly format?: ImageFormat
  /** Of a raw disk, which cannot say; 512 unless given. */
  readonly rawSectorSizeBytes?: SectorSizeBytes
  /** Needed for differencing disks only. */
  readonly resolveParent?: ParentResolver
}

/**
 * Opens a VHD or VHDX, told apart by content: fixed, dynamic or differencing; or, where asked to, a raw disk. Nothing is written; a VHDX
 * that was not closed properly has its log replayed in memory. Damaged copies of headers and tables are
 * passed over when another is intact; `checkDisk` reports them.
 *
 * Rejects with `unrecognised-format`, `truncated`, `checksum-mismatch`, `corrupt`, `unsupported`,
 * `log-corrupt`, `parent-missing` or `parent-mismatch`; and reads of the disk reject with `truncated` or
 * `corrupt` for blocks that lie outside the file or have an impossible state.
 */
export function openDisk(source: ByteSource, options: OpenOptions = {}): Promise<VirtualDisk> {
  return openChain(source, options, 1)
}

async function openChain(
  source: ByteSource,
  { resolveParent, format: expected, rawSectorSizeBytes }: OpenOptions,
  chainLength: number,
): Promise<VirtualDisk> {
  if (expected === 'raw') return rawDisk(source, rawSectorSizeBytes)
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
    const options = { format: reference.format, ...(resolveParent === undefined ? {} : { resolveParent }) }
    const parent = await openChain(parentSource, options, chainLength + 1)
    if (!reference.linkIds.includes(parent.linkId)) {
      throw new DiskFailure(
        'parent-mismatch',
        'the disk supplied as parent is another one, or was changed since',
      )
    }
    return parent
  }
  const format = await requireFormat(source, expected)
  return format === 'vhd' ? openVhd(source, openParent) : openVhdx(source, openParent)
}
