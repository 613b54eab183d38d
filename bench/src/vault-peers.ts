import { mkdirSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { newFolder } from '@palisade/tests'
import type { Archiver, OpenArchiver, Restore } from './archivers/archiver.ts'
import { borg } from './archivers/borg.ts'
import { palisade } from './archivers/palisade.ts'
import { restic } from './archivers/restic.ts'
import { type Extent, sizeText } from './extent.ts'
import { type Measurement, measureCommand } from './measure.ts'
import { MeasuredComparison } from './measured-comparison.ts'
import { dropFromCache, folderBytes, quietenDisk } from './page-cache.ts'
import { trackedChanges } from './tracked-changes.ts'
import { changeHundredth, makeImage } from './volume-image.ts'

/**
 * Backups of an image (half zeros, a quarter text, a quarter random) beside restic and borg, and restores beside
 * those and qemu-img. Everybody reads from the disk; what is said to be synchronised is on it at the end, as what we
 * restore always is.
 */
export async function vaultPeers(extent: Extent): Promise<void> {
  const folder = newFolder()
  const image = join(folder, 'image.raw')
  const size = sizeText(extent.imageBytes)
  const first = new MeasuredComparison(`First backup of ${size}`, 'restic')
  const untouched = new MeasuredComparison('Again, nobody has touched the image', 'restic')
  const unchanged = new MeasuredComparison('Again, with a new time of change', 'restic')
  const changed = new MeasuredComparison('Again, 1 % of it overwritten in pieces of 64 KiB', 'restic')
  const restored = new MeasuredComparison(`Restore of ${size}`, 'qemu-img to vhdx, sync')
  const repositories = new Map<string, number>()
  makeImage(image, extent.imageBytes)
  for (let round = 0; round < extent.rounds; round++) {
    const archivers = await openAll(join(folder, 'archivers'), [palisade, restic, borg('lz4'), borg('zstd')])
    const backUpAll = async (comparison: MeasuredComparison) => {
      for (const archiver of archivers) {
        await dropFromCache(image)
        quietenDisk(extent)
        comparison.add(archiver.name, await archiver.backUp(image))
      }
    }
    await backUpAll(first)
    for (const { name, repository } of archivers) repositories.set(name, folderBytes(repository))
    await backUpAll(untouched)
    utimesSync(image, new Date(), new Date())
    await backUpAll(unchanged)
    const putBack = changeHundredth(image)
    await backUpAll(changed)
    for (const restore of [...restoresOf(archivers), ...conversions(image)]) {
      await dropFromCache(image, ...archivers.map(({ repository }) => repository))
      restored.add(restore.name, await intoEmpty(join(folder, 'restored'), restore, extent))
    }
    putBack()
    for (const archiver of archivers) await archiver.close()
    rmSync(join(folder, 'archivers'), { recursive: true })
  }
  for (const comparison of [first, untouched, unchanged, changed, restored]) comparison.print()
  console.log('\nRepository after the first backup')
  for (const [name, bytes] of repositories)
    console.log(`  ${name.padEnd(12)} ${(bytes / 2 ** 20).toFixed(0)} MiB`)
  await trackedChanges(extent, folder)
}

async function openAll(folder: string, openers: readonly OpenArchiver[]): Promise<readonly Archiver[]> {
  const archivers: Archiver[] = []
  for (const [number, open] of openers.entries()) {
    const home = join(folder, `${number}`)
    mkdirSync(home, { recursive: true })
    archivers.push(await open(home))
  }
  return archivers
}

function restoresOf(archivers: readonly Archiver[]): readonly Restore[] {
  return archivers.flatMap(({ restores }) => restores)
}

/** What it takes to turn the image itself into a disk: no vault, nothing to decrypt, nothing compared. */
function conversions(image: string): readonly Restore[] {
  return [
    { name: 'qemu-img to vhdx', format: 'vhdx', after: '' },
    { name: 'qemu-img to vhdx, sync', format: 'vhdx', after: ' && sync "$2"' },
    { name: 'qemu-img to vpc', format: 'vpc', after: '' },
    { name: 'qemu-img to vpc, sync', format: 'vpc', after: ' && sync "$2"' },
  ].map(({ name, format, after }) => ({
    name,
    into: (folder) => {
      const command = `qemu-img convert -f raw -O ${format} "$1" "$2"${after}`
      return measureCommand({ argv: ['sh', '-c', command, 'sh', image, join(folder, 'disk')] })
    },
  }))
}

async function intoEmpty(folder: string, restore: Restore, extent: Extent): Promise<Measurement> {
  mkdirSync(folder)
  quietenDisk(extent)
  try {
    return await restore.into(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
