/**
 * The parent locator, a metadata item of differencing disks ([MS-VHDX] 2.6.2.6):
 *
 *     locator type GUID | 0 u16 | count u16 | entries of 12 bytes
 *     entry: key offset u32 | value offset u32 | key length u16 | value length u16
 *
 * Offsets count from the start of the item; keys and values are UTF-16LE.
 */
import { DiskFailure } from '../failure.ts'
import { parseGuid, readGuid } from '../guid.ts'

const VHDX_LOCATOR = 'B04AEFB7-D19E-4A81-B789-25B8E9445913'
const ENTRIES_OFFSET = 20
const ENTRY_SIZE_BYTES = 12
/** In the order in which the specification tries them. */
const pathKeys = ['relative_path', 'volume_path', 'absolute_win32_path'] as const

/** What a differencing disk says about its parent. */
export interface ParentLocator {
  /** The DataWriteGuids the parent may have. */
  readonly linkIds: readonly string[]
  readonly paths: readonly string[]
}

/** @throws DiskFailure `corrupt`, or `unsupported` for a locator that is not of a VHDX */
export function decodeParentLocator(item: Buffer): ParentLocator {
  if (item.byteLength < ENTRIES_OFFSET) throw new DiskFailure('corrupt', 'the parent locator is too short')
  const type = readGuid(item, 0, 'mixed')
  if (type !== VHDX_LOCATOR) throw new DiskFailure('unsupported', `parent locator of type ${type}`)
  const values = new Map<string, string>()
  for (let index = 0; index < item.readUInt16LE(18); index++) {
    const at = ENTRIES_OFFSET + index * ENTRY_SIZE_BYTES
    if (at + ENTRY_SIZE_BYTES > item.byteLength)
      throw new DiskFailure('corrupt', 'the parent locator is cut off')
    const key = text(item, item.readUInt32LE(at), item.readUInt16LE(at + 8))
    values.set(key, text(item, item.readUInt32LE(at + 4), item.readUInt16LE(at + 10)))
  }
  const links = [values.get('parent_linkage'), values.get('parent_linkage2')].filter(
    (link) => link !== undefined,
  )
  if (links.length === 0)
    throw new DiskFailure('corrupt', 'the parent locator does not say which disk is the parent')
  return {
    linkIds: links.map(linkId),
    paths: pathKeys.map((key) => values.get(key)).filter((path) => path !== undefined),
  }
}

function text(item: Buffer, offset: number, sizeBytes: number): string {
  if (offset + sizeBytes > item.byteLength) throw new DiskFailure('corrupt', 'the parent locator is cut off')
  return item.toString('utf16le', offset, offset + sizeBytes)
}

function linkId(link: string): string {
  try {
    return parseGuid(link.replace(/^\{(.*)\}$/, '$1'), 'parent_linkage')
  } catch (error) {
    throw new DiskFailure('corrupt', `the parent locator names no disk: ${link}`, undefined, { cause: error })
  }
}
