import type { ByteSource } from '../byte-source.ts'
import type { DiskFormat } from '../disk/disk-plan.ts'
import type { ParentResolver } from '../disk/virtual-disk.ts'
import { attempt, DiskFailure } from '../failure.ts'
import { type Finding, Findings } from '../finding.ts'
import { detectFormat } from '../read/detect-format.ts'
import { openDisk } from '../read/open-disk.ts'
import { checkVhd } from '../vhd/check.ts'
import { checkVhdx } from '../vhdx/check.ts'

/**
 * Checks everything in a VHD or VHDX that can be checked without knowing what the disk should hold:
 * checksums of all copies, places of all structures and blocks against each other and the file, states,
 * sizes, reserved bits. An empty list means that nothing is wrong. Nothing is written.
 *
 * With `resolveParent` a differencing disk that has no error of its own is opened with its parents, so that one that is
 * missing, another disk or beyond opening is reported; what else is wrong with a parent shows its own check.
 *
 * `format` is what the disk must be; told apart by content unless given, see `openDisk`.
 *
 * Damage never makes this reject; it rejects only when the source cannot be read. What a disk's blocks
 * hold is covered by no checksum of either format: compare it with what was meant to be written.
 */
export async function checkDisk(
  source: ByteSource,
  options: { readonly format?: DiskFormat; readonly resolveParent?: ParentResolver } = {},
): Promise<readonly Finding[]> {
  const findings = new Findings()
  const format = await detectFormat(source, options.format)
  if (format === 'vhd') await checkVhd(source, findings)
  else if (format === 'vhdx') await checkVhdx(source, findings)
  else findings.add('error', 'unrecognised-format', 0, 'not a disk of this format')
  if (options.resolveParent !== undefined && !findings.hasError()) {
    await checkParents(source, format, options.resolveParent, findings)
  }
  return findings.list()
}

async function checkParents(
  source: ByteSource,
  format: DiskFormat | undefined,
  resolveParent: ParentResolver,
  findings: Findings,
): Promise<void> {
  const opened = await attempt(() =>
    openDisk(source, { resolveParent, ...(format === undefined ? {} : { format }) }),
  )
  if (!(opened instanceof DiskFailure)) return
  const isLink = opened.code === 'parent-missing' || opened.code === 'parent-mismatch'
  findings.add('error', isLink ? opened.code : 'parent-damaged', 0, `the parent: ${opened.message}`)
}
