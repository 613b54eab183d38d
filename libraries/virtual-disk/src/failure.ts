/**
 * What can go wrong with a disk, in words a program can compare.
 *
 * Requests that cannot be met:
 * - `invalid-argument`      a size, offset, name or identifier that no disk of this kind can have
 * - `disk-too-large`        the disk does not fit the format or the partition scheme
 * - `block-not-planned`     data was offered for a block the plan left out
 *
 * Input that cannot be read:
 * - `unrecognised-format`   neither VHD nor VHDX
 * - `no-partition-table`    neither MBR nor GPT; the disk may hold a bare file system
 * - `truncated`             the source ends before the structure does
 * - `checksum-mismatch`     no intact copy of a checksummed structure is left
 * - `corrupt`               a structure contradicts the format or itself
 * - `unsupported`           valid by the format, but needs something this library does not know
 * - `log-corrupt`           a VHDX file that needs its log replayed has no log that can be
 * - `parent-missing`        a differencing disk whose parent was not supplied
 * - `parent-mismatch`       a differencing disk whose parent is another disk, or was changed since
 */
export type DiskFailureCode =
  | 'invalid-argument'
  | 'disk-too-large'
  | 'block-not-planned'
  | 'unrecognised-format'
  | 'no-partition-table'
  | 'truncated'
  | 'checksum-mismatch'
  | 'corrupt'
  | 'unsupported'
  | 'log-corrupt'
  | 'parent-missing'
  | 'parent-mismatch'

/** The only error this library throws on purpose. Errors of a byte source pass through unchanged. */
export class DiskFailure extends Error {
  readonly code: DiskFailureCode
  /** Where in the source the trouble is, in bytes, when there is one such place. */
  readonly offsetBytes: number | undefined

  constructor(code: DiskFailureCode, message: string, offsetBytes?: number, options?: ErrorOptions) {
    super(offsetBytes === undefined ? message : `${message} (at byte ${offsetBytes})`, options)
    this.name = 'DiskFailure'
    this.code = code
    this.offsetBytes = offsetBytes
  }
}

/** Throws an `invalid-argument` failure unless the condition holds. */
export function requireArgument(condition: boolean, message: string): asserts condition {
  if (!condition) throw new DiskFailure('invalid-argument', message)
}

/** What the action gives, or its failure as a value; errors that are not ours are thrown on. */
export async function attempt<T>(action: () => Promise<T>): Promise<T | DiskFailure> {
  try {
    return await action()
  } catch (error) {
    if (error instanceof DiskFailure) return error
    throw error
  }
}
