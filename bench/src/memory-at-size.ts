import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { newFolder } from '@palisade/tests'
import { palisade } from './archivers/palisade.ts'
import { type Extent, sizeText } from './extent.ts'
import { MeasuredComparison } from './measured-comparison.ts'
import { makeImage, makeSparseImage } from './volume-image.ts'

/** Memory of agent and server for an image full of data, and for a larger one of holes with a little data in them. */
export async function memoryAtSize({ rounds, memory }: Extent): Promise<void> {
  const { dataBytes, holesBytes, pieces } = memory
  const folder = newFolder()
  const image = join(folder, 'image.raw')
  const full = sizeText(dataBytes)
  const backups = new MeasuredComparison('Backup', full)
  const restores = new MeasuredComparison('Restore', `${full}, Vhdx`)
  const cases = [
    { name: full, make: () => makeImage(image, dataBytes) },
    { name: sizeText(holesBytes), make: () => makeSparseImage(image, holesBytes, pieces) },
  ]
  for (const { name, make } of cases) {
    make()
    for (let round = 0; round < rounds; round++) {
      const home = join(folder, 'run')
      mkdirSync(home)
      const archiver = await palisade(home)
      backups.add(name, await archiver.backUp(image))
      for (const restore of archiver.restores) {
        const target = join(folder, 'restored')
        mkdirSync(target)
        restores.add(restore.name.replace('palisade', name), await restore.into(target))
        rmSync(target, { recursive: true })
      }
      await archiver.close()
      rmSync(home, { recursive: true })
    }
  }
  for (const comparison of [backups, restores]) comparison.print()
}
