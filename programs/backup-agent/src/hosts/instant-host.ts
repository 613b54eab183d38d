import type { HostDriver } from './host-driver.ts'

/** What a disk is called, that is read over a local socket (NBD) while its file is not complete, by whoever listens there. */
export interface OriginOfDisk {
  readonly exportName: string
  readonly sizeBytes: number
}

/** How far the copy of a disk is. */
export interface CopyProgress {
  readonly bytesDone: number
  /** Grows while the machine writes. */
  readonly bytesTotal: number
}

/** A host that can run machines before their disk files are complete. */
export interface InstantHost extends HostDriver {
  /**
   * Where somebody has to listen, who lets a machine read its disks: a place that this machine can get at and no other can. It is there when
   * the machine is defined, and goes with the machine.
   */
  originSocketPath(id: string): Promise<string>

  /**
   * Starts a machine that reads its disks from origins and keeps what it writes to itself, until `moveOver`. A machine that
   * ends before that cannot be started again and has to be removed.
   *
   * @param origins for each of its disks, in their order
   */
  startFrom(id: string, origins: readonly OriginOfDisk[], signal?: AbortSignal): Promise<void>

  /**
   * Copies all disks of such a machine into its disk files, behind its back, and lets it go on with those. When this
   * resolves, nobody needs the origins any more. Rejects when the machine ends in between.
   *
   * @param onProgress is told the number of a disk, from 0, and how far that is
   */
  moveOver(
    id: string,
    signal: AbortSignal,
    onProgress?: (disk: number, progress: CopyProgress) => void,
  ): Promise<void>

  /** Whether a machine was started from origins and has not been moved over, running or not. */
  needsOrigins(id: string): Promise<boolean>
}

/** Whether a host can run machines before their disk files are complete. */
export function startsInstantly(driver: HostDriver): driver is InstantHost {
  return 'startFrom' in driver && 'moveOver' in driver && 'needsOrigins' in driver
}
