const diskFindingCodes = [
  'unrecognised-format',
  'structure-misplaced',
  'reserved-not-zero',
  'bat-too-short',
  'block-outside-file',
  'block-overlaps',
  'block-shared',
  'parent-missing',
  'parent-mismatch',
  'parent-damaged',
  'bitmap-hides-data',
  'header-damaged',
  'headers-ambiguous',
  'log-not-empty',
  'log-corrupt',
  'region-table-damaged',
  'region-tables-differ',
  'metadata-missing',
  'metadata-damaged',
  'metadata-overlaps',
  'block-state-invalid',
  'block-place-unexpected',
  'bitmap-missing',
  'not-fully-allocated',
  'footer-damaged',
  'footers-differ',
  'dynamic-header-damaged',
  'bat-too-long',
  'size-invalid',
  'size-ambiguous',
  'geometry-mismatch',
  'file-length-wrong',
  'saved-state',
] as const

/**
 * What a check of a partition table can find, beside `structure-misplaced` and `reserved-not-zero`.
 *
 * Any table:
 * - `no-partition-table`      neither a GPT nor an MBR; the disk may hold a bare file system
 * - `partition-invalid`       a partition has no size
 * - `partition-outside`       a partition lies outside the disk, or outside what the table calls usable
 * - `partition-overlaps`      two partitions, or one and an extended boot record, share sectors
 *
 * GPT:
 * - `gpt-header-damaged`      one of the two headers is not intact
 * - `gpt-entries-damaged`     one of the two copies of the entries is not intact
 * - `gpt-copies-differ`       both copies are intact and say different things
 * - `gpt-backup-not-at-end`   the disk is larger than its GPT knows
 * - `partition-id-invalid`    a partition has no id, or that of another one
 * - `protective-mbr-missing`  nothing tells older tools that the disk is in use
 * - `protective-mbr-wrong`    the protective entry does not cover the disk
 * - `hybrid-mbr`              the MBR describes partitions of its own; readers may disagree
 *
 * MBR:
 * - `boot-record-invalid`     an MBR or extended boot record says what cannot be, or leads nowhere
 */
const partitionFindingCodes = [
  'no-partition-table',
  'partition-invalid',
  'partition-outside',
  'partition-overlaps',
  'gpt-header-damaged',
  'gpt-entries-damaged',
  'gpt-copies-differ',
  'gpt-backup-not-at-end',
  'partition-id-invalid',
  'protective-mbr-missing',
  'protective-mbr-wrong',
  'hybrid-mbr',
  'boot-record-invalid',
] as const

/** All codes, by the check that gives them: `checkDisk` and `checkPartitionTable`. */
export const findingCodes = { disk: diskFindingCodes, partitionTable: partitionFindingCodes } as const

/**
 * What a check can find. Codes do not change their meaning; messages may.
 *
 * Any disk:
 * - `unrecognised-format`     neither a VHD nor a VHDX, or not the one it should be
 * - `structure-misplaced`     a table, log or region lies outside the file or over another one
 * - `reserved-not-zero`       bits that the format keeps for later are set
 * - `bat-too-short`           the block table has fewer entries than the disk has blocks
 * - `block-outside-file`      a block lies, in part or whole, behind the end of the file
 * - `block-overlaps`          a block lies over a header, a table, the log or another structure
 * - `block-shared`            two table entries name the same place
 * - `parent-missing`          the parent of a differencing disk was not found
 * - `parent-mismatch`         what was found as parent is another disk, or was changed since
 * - `parent-damaged`          the parent, or one of its own, cannot be opened
 * - `bitmap-hides-data`       VHD: readers that trust the bitmap see zeros where others see data
 *
 * VHDX:
 * - `header-damaged`          one of the two headers is not intact
 * - `headers-ambiguous`       two different headers have the same sequence number
 * - `log-not-empty`           the file was not closed; readers must replay its log
 * - `log-corrupt`             the file was not closed and its log cannot be replayed
 * - `region-table-damaged`    one of the two region tables is not intact
 * - `region-tables-differ`    both region tables are intact and say different things
 * - `metadata-missing`        a mandatory metadata item is not there
 * - `metadata-damaged`        a metadata item is impossible or unknown and required
 * - `metadata-overlaps`       two metadata items share bytes
 * - `block-state-invalid`     a table entry has a state that does not exist, or not on this kind of disk
 * - `block-place-unexpected`  a block that is not stored, or not on the disk, names a place all the same
 * - `bitmap-missing`          a partially present block without its sector bitmap
 * - `not-fully-allocated`     a fixed disk without room for all of its blocks
 *
 * VHD:
 * - `footer-damaged`          the footer or its copy is not intact
 * - `footers-differ`          footer and copy are intact and say different things
 * - `dynamic-header-damaged`  the header of a dynamic disk is not intact
 * - `bat-too-long`            the block table has more entries than the disk has blocks
 * - `size-invalid`            not a whole number of sectors, nothing at all, or beyond 2040 GiB
 * - `size-ambiguous`          some programs believe the geometry, which is smaller than the disk
 * - `geometry-mismatch`       the geometry is not the one that the size gives
 * - `file-length-wrong`       a fixed disk's file is longer or shorter than the disk
 * - `saved-state`             the disk belongs to a machine that was suspended
 */
export type FindingCode = (typeof findingCodes)[keyof typeof findingCodes][number]

/**
 * An `error` means that some reader refuses the disk or sees wrong bytes; a `warning` that the disk reads
 * well today, but a spare copy is lost, a rule is broken, or readers may disagree.
 */
export type Severity = 'error' | 'warning'

/** Something that a check has to say about a disk. */
export interface Finding {
  readonly code: FindingCode
  readonly severity: Severity
  /** Where in the file, or on the disk of a partition table: the structure, or the table entry, that is wrong. */
  readonly offsetBytes: number
  readonly message: string
}

/** A damaged table could otherwise fill the memory with findings that all say the same. */
const FINDINGS_PER_CODE_MAX = 20

/** Gathers findings; of those with one code it keeps the first few and counts the others. */
export class Findings {
  readonly #findings: Finding[] = []
  readonly #counts = new Map<FindingCode, number>()

  add(severity: Severity, code: FindingCode, offsetBytes: number, message: string): void {
    const count = (this.#counts.get(code) ?? 0) + 1
    this.#counts.set(code, count)
    if (count <= FINDINGS_PER_CODE_MAX) this.#findings.push({ code, severity, offsetBytes, message })
  }

  /** Whether an error is among what was gathered. */
  hasError(): boolean {
    return this.#findings.some(({ severity }) => severity === 'error')
  }

  /** All that was gathered; the last one of a code that came too often says how many there were. */
  list(): readonly Finding[] {
    return this.#findings.map((finding, index) => {
      const count = this.#counts.get(finding.code) ?? 0
      const isLast = !this.#findings.slice(index + 1).some(({ code }) => code === finding.code)
      const more = count - FINDINGS_PER_CODE_MAX
      return isLast && more > 0
        ? { ...finding, message: `${finding.message}; and ${more} more like this` }
        : finding
    })
  }
}
