import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { cleanUp, newFolder } from '@palisade/tests'
import { palisade } from './archivers/palisade.ts'
import { MeasuredComparison } from './measured-comparison.ts'
import { makeImage, makeSparseImage } from './volume-image.ts'

const gibibyte = 2 ** 30

/** Memory of agent and server for 2 GiB of data, and for 100 GiB of holes with half a gibibyte of data in them. */
export async function memoryAtSize(rounds: number): Promise<void> {
  const folder = newFolder()
  const image = join(folder, 'image.raw')
  const backups = new MeasuredComparison('Backup', '2 GiB')
  const restores = new MeasuredComparison('Restore', '2 GiB, Vhdx')
  const cases = [
    { name: '2 GiB', make: () => makeImage(image, 2 * gibibyte) },
    { name: '100 GiB', make: () => makeSparseImage(image, 100 * gibibyte, gibibyte / 5) },
  ]
  try {
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
  } finally {
    await cleanUp()
  }
}
