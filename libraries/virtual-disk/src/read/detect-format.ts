import { type ByteSource, readBytes } from '../byte-source.ts'
import type { DiskFormat } from '../disk/disk-plan.ts'
import { DiskFailure } from '../failure.ts'
import { FOOTER_MAGIC } from '../vhd/footer.ts'
import { FOOTER_OFFSETS_FROM_END } from '../vhd/layout.ts'
import { FILE_IDENTIFIER } from '../vhdx/layout.ts'

const MAGIC_SIZE_BYTES = 8

/**
 * The format by its signature, or undefined. A VHD is known by its footer or by the footer's copy at the
 * front, so one whose end was cut off is still a VHD.
 *
 * The front of a fixed VHD and the end of a VHDX belong to the guest, who could put the other format's
 * signature there. Who knows the format says so by `expected`, and gets that or undefined.
 */
export async function detectFormat(
  source: ByteSource,
  expected?: DiskFormat,
): Promise<DiskFormat | undefined> {
  const magicAt = async (offset: number): Promise<string> => {
    if (offset < 0 || offset + MAGIC_SIZE_BYTES > source.sizeBytes) return ''
    return (await readBytes(source, offset, MAGIC_SIZE_BYTES)).toString('latin1')
  }
  const front = await magicAt(0)
  if (expected !== 'vhd' && front === FILE_IDENTIFIER) return 'vhdx'
  if (expected === 'vhdx') return undefined
  if (front === FOOTER_MAGIC) return 'vhd'
  for (const fromEnd of FOOTER_OFFSETS_FROM_END) {
    if ((await magicAt(source.sizeBytes - fromEnd)) === FOOTER_MAGIC) return 'vhd'
  }
  return undefined
}

/** The format as {@link detectFormat} gives it; refuses what has none with `unrecognised-format`. */
export async function requireFormat(source: ByteSource, expected?: DiskFormat): Promise<DiskFormat> {
  const format = await detectFormat(source, expected)
  if (format !== undefined) return format
  const problem = expected === undefined ? 'neither a VHD nor a VHDX' : `not a ${expected.toUpperCase()}`
  throw new DiskFailure('unrecognised-format', problem)
}
