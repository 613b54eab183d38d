import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Agent, Backups, newFolder, Server } from '@palisade/tests'
import { type Extent, sizeText } from './extent.ts'
import { compare, print, timed } from './harness.ts'
import { dropFromCache, quietenDisk } from './page-cache.ts'
import { makeImage } from './volume-image.ts'

const mebibyte = 2 ** 20

/**
 * Backup and restore of an image (half zeros, a quarter compressible, a quarter random) beside qemu-img and cp; then
 * once with a larger one, to show that memory does not grow with the image. A restore reads its packs from the
 * disk, and so do its peers the image, but for the one that says otherwise.
 */
export async function volumeRestore(extent: Extent): Promise<void> {
  const { imageBytes, largeImageBytes } = extent.restored
  const folder = newFolder()
  const image = join(folder, 'image.raw')
  makeImage(image, imageBytes)
  await backupAndRestore(folder, image, extent)
  makeImage(image, largeImageBytes)
  const memory = await onFreshServer(folder, async (run) => {
    await run.restore(await run.backUp(image))
    return run.peakMemory()
  })
  console.log(`\nPeak memory with ${sizeText(largeImageBytes)}: ${memory}`)
}

async function backupAndRestore(folder: string, image: string, extent: Extent): Promise<void> {
  const size = sizeText(extent.restored.imageBytes)
  const copy = join(folder, 'peer')
  const peer =
    (program: string, ...argv: string[]) =>
    async () => {
      rmSync(copy, { force: true })
      return timedOnQuietDisk(extent, async () => execFileSync(program, argv))
    }
  const fromDisk = (run: () => Promise<number>) => async () => {
    await dropFromCache(image)
    return run()
  }
  const convert = ['convert', '-f', 'raw', '-O', 'vhdx', image, copy]

  let memory = ''
  const backup = {
    title: `Backup of ${size} into a new vault`,
    unit: 's',
    peer: 'cp --sparse=never',
    moreIsBetter: false,
    contenders: [
      {
        name: 'palisade',
        run: () => onFreshServer(folder, (run) => timedOnQuietDisk(extent, () => run.backUp(image))),
      },
      { name: 'cp --sparse=never', run: peer('cp', '--sparse=never', image, copy) },
      { name: 'qemu-img convert', run: peer('qemu-img', ...convert) },
    ],
  }
  print(backup, await compare(backup, extent))

  await onFreshServer(folder, async (run) => {
    const revision = await run.backUp(image)
    const restore = {
      title: `Restore of ${size} as VHDX, verified`,
      unit: 's',
      peer: 'qemu-img convert',
      moreIsBetter: false,
      contenders: [
        {
          name: 'palisade',
          run: () => {
            run.removeRestored()
            return timedOnQuietDisk(extent, () => run.restore(revision))
          },
        },
        { name: 'qemu-img convert', run: fromDisk(peer('qemu-img', ...convert)) },
        {
          name: 'qemu-img convert, then sync',
          run: fromDisk(peer('sh', '-c', `qemu-img ${convert.join(' ')} && sync ${copy}`)),
        },
        { name: 'qemu-img convert, image in the cache', run: peer('qemu-img', ...convert) },
        { name: 'cp --sparse=never', run: fromDisk(peer('cp', '--sparse=never', image, copy)) },
      ],
    }
    print(restore, await compare(restore, extent))
    memory = run.peakMemory()
  })
  console.log(`\nPeak memory with ${size}: ${memory}`)
}

function timedOnQuietDisk(extent: Extent, work: () => Promise<unknown>): Promise<number> {
  quietenDisk(extent)
  return timed(work)
}

interface Run {
  backUp(image: string): Promise<number>
  /** Into a folder that is not there; see {@link Run.removeRestored}. */
  restore(revision: number): Promise<string>
  removeRestored(): void
  peakMemory(): string
}

/** Starts a server and an agent with nothing in their vault, and ends them after the work. */
async function onFreshServer<T>(folder: string, work: (run: Run) => Promise<T>): Promise<T> {
  const home = join(folder, 'run')
  rmSync(home, { recursive: true, force: true })
  mkdirSync(home)
  const server = await Server.start(home)
  const agent = await Agent.start(server, home)
  try {
    const backups = await Backups.connect(server)
    const target = join(home, 'restored')
    return await work({
      backUp: (image) => backups.backUp(image),
      restore: (revision) => backups.restore(revision, target),
      removeRestored: () => rmSync(target, { recursive: true, force: true }),
      peakMemory: () => {
        const mib = (bytes: number) => `${(bytes / mebibyte).toFixed(0)} MiB`
        return `agent ${mib(agent.program.peakMemoryBytes())}, server ${mib(server.program.peakMemoryBytes())}`
      },
    })
  } finally {
    await agent.program.stop()
    await server.program.stop()
  }
}
