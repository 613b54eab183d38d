import type { ByteSource, Region } from '@palisade/virtual-disk'
import { layRegions } from '../../disk-layout/lay-regions.ts'
import type { VolumeContent } from './volume-content.ts'

/**
 * What is inside a disk, for a stream that reads it from the first byte to the last: partition table and boot code, and
 * the volumes as their chunks arrive.
 */
export class DiskContent implements ByteSource {
  readonly sizeBytes: number
  readonly #regions: readonly Region[]
  readonly #volumes: readonly VolumeContent[]

  /** @param volumes ascending by their places, so that no volume has to wait for one behind it */
  constructor(sizeBytes: number, regions: readonly Region[], volumes: readonly VolumeContent[]) {
    this.sizeBytes = sizeBytes
    this.#regions = regions
    this.#volumes = volumes
  }

  /** Fills the target. Positions must ascend from call to call, and the calls must not overlap. */
  async read(target: Uint8Array, position: number): Promise<void> {
    target.fill(0)
    layRegions(this.#regions, target, position)
    for (const volume of this.#volumes) await volume.lay(target, position)
  }
}
