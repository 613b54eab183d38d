import { mkdirSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { makeSharingVolume } from '@palisade/tests'
import type { OpenArchiver } from './archivers/archiver.ts'
import { borg } from './archivers/borg.ts'
import { palisade, palisadeTracking } from './archivers/palisade.ts'
import { restic } from './archivers/restic.ts'
import type { Extent } from './extent.ts'
import { MeasuredComparison } from './measured-comparison.ts'
import { dropFromCache, quietenDisk } from './page-cache.ts'
import { changeHundredth, makeImage } from './volume-image.ts'

/** Room on the file system beside the image, for what is overwritten and because short room ends the tracking. */
const roomFactor = 2

/** mkfs.xfs makes none that is smaller than 300 MiB. */
const roomMinBytes = 512 * 2 ** 20

/**
 * Backups of an image of which nothing, and then a hundredth, was overwritten since the last one, on an XFS of its own: with
 * and without tracking of changes, beside restic and borg. Says so and does nothing where there can be no such file system.
 *
 * @param folder that is there; everything is below it
 */
export async function trackedChanges(extent: Extent, folder: string): Promise<void> {
  const { rounds, imageBytes } = extent
  const volume = makeSharingVolume(join(folder, 'sharing'), Math.max(imageBytes * roomFactor, roomMinBytes))
  if ('why' in volume) {
    console.log(`Tracked changes are not measured: ${volume.why}`)
    return
  }
  const image = join(volume.folder, 'image.raw')
  const unchanged = new MeasuredComparison('On XFS, tracked: a new time of change', 'restic')
  const changed = new MeasuredComparison('On XFS, tracked: 1 % overwritten in pieces of 64 KiB', 'restic')
  const openers: readonly OpenArchiver[] = [palisadeTracking, palisade, restic, borg('lz4')]
  try {
    makeImage(image, imageBytes)
    for (const [number, open] of openers.entries()) {
      const home = join(folder, `tracked-${number}`)
      mkdirSync(home)
      const archiver = await open(home)
      const measure = async (comparison: MeasuredComparison) => {
        await dropFromCache(image)
        quietenDisk(extent)
        comparison.add(archiver.name, await archiver.backUp(image))
      }
      try {
        await archiver.backUp(image)
        for (let round = 0; round < rounds; round++) {
          utimesSync(image, new Date(), new Date())
          await measure(unchanged)
          changeHundredth(image)
          await measure(changed)
        }
      } finally {
        // The file system is not let go of before.
        await archiver.close()
      }
      rmSync(home, { recursive: true })
    }
    for (const comparison of [unchanged, changed]) comparison.print()
  } finally {
    await volume.remove()
  }
}
