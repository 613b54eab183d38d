import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { newFolder, startS3 } from '@palisade/tests'
import type { OpenArchiver } from './archivers/archiver.ts'
import { palisadeInBucket } from './archivers/palisade.ts'
import { resticInBucket } from './archivers/restic.ts'
import { type Extent, sizeText } from './extent.ts'
import { MeasuredComparison } from './measured-comparison.ts'
import { dropFromCache, quietenDisk } from './page-cache.ts'
import { makeImage } from './volume-image.ts'

const delayMs = 50

/**
 * First backup of an image into a bucket whose storage answers each request after 50 ms, and its restore, beside the same without the
 * delay, and beside restic. All go to the same storage through the same relay; who comes first changes from round to round.
 */
export async function slowBucket(extent: Extent): Promise<void> {
  const folder = newFolder()
  const image = join(folder, 'image.raw')
  const size = sizeText(extent.imageBytes)
  const first = new MeasuredComparison(`First backup of ${size} into a bucket`, 'palisade, 0 ms')
  const restored = new MeasuredComparison(`Restore of ${size} from a bucket`, 'palisade, 0 ms')
  makeImage(image, extent.imageBytes)
  for (let round = 0; round < extent.rounds; round++) {
    const storage = await startS3()
    try {
      const turns: { delay: number; open: OpenArchiver }[] = [0, delayMs].flatMap((delay) => [
        { delay, open: palisadeInBucket(`palisade, ${delay} ms`, storage.bucket, `palisade-${delay}/`) },
        { delay, open: resticInBucket(`restic, ${delay} ms`, storage.bucket, `restic-${delay}`) },
      ])
      for (const { delay, open } of round % 2 === 0 ? turns : turns.reverse()) {
        const home = join(folder, 'archiver')
        mkdirSync(home)
        await storage.disturb({})
        const archiver = await open(home)
        try {
          await storage.disturb({ delayMs: delay })
          await dropFromCache(image)
          quietenDisk(extent)
          first.add(archiver.name, await archiver.backUp(image))
          const [restore] = archiver.restores
          quietenDisk(extent)
          const target = join(folder, 'restored')
          mkdirSync(target)
          if (restore) restored.add(archiver.name, await restore.into(target))
          rmSync(target, { recursive: true })
        } finally {
          await archiver.close()
          rmSync(home, { recursive: true })
        }
      }
    } finally {
      await storage.stop()
    }
  }
  first.print()
  restored.print()
}
