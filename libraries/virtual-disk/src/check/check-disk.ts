import type { ByteSource } from '../byte-source.ts'
import type { DiskFormat } from '../plan/disk-plan.ts'
import { detectFormat } from '../read/detect-format.ts'
import { checkVhd } from '../vhd/check.ts'
import { checkVhdx } from '../vhdx/check.ts'
import { type Finding, Findings } from './finding.ts'

/**
 * Checks everything in a VHD or VHDX that can be checked without knowing what the disk should hold:
 * checksums of all copies, places of all structures and blocks against each other and the file, states,
 * sizes, reserved bits. An empty list means that nothing is wrong. Parents of differencing disks are not
 * looked at, and nothing is written.
 *
 * `format` is what the disk must be; told apart by content unless given, see `openDisk`.
 *
 * Damage never makes this reject; it rejects only when the source cannot be read. What a disk's blocks
 * hold is covered by no checksum of either format: compare it with what was meant to be written.
 */
export async function checkDisk(
  source: ByteSource,
  options: { readonly format?: DiskFormat } = {},
): Promise<readonly Finding[]> {
  const findings = new Findings()
  const format = await detectFormat(source, options.format)
  if (format === 'vhd') await checkVhd(source, findings)
  else if (format === 'vhdx') await checkVhdx(source, findings)
  else findings.add('error', 'unrecognised-format', 0, 'not a disk of this format')
  return findings.list()
}
