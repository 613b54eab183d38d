import type { DiskFolder, DiskFormat, Obstacle } from '@palisade/agent-protocol'
import { describe, TaskFailure } from '../failure.ts'
import { HostFailure } from '../hosts/failure.ts'
import type { HostDriver } from '../hosts/host-driver.ts'
import { destinationAt } from '../restore/destination.ts'
import { isSharePath } from '../shares/share-path.ts'
import type { ShareSettings } from '../shares/share-settings.ts'
import type { FolderFacts } from './folder-facts.ts'

/**
 * Makes the folder and tries to write there.
 *
 * @returns obstacles with the codes of the specification's destination table
 */
export async function checkPath(folder: DiskFolder, shares: ShareSettings): Promise<Obstacle[]> {
  return obstaclesOf(async () => {
    const destination = destinationAt(folder, shares)
    await destination.prepare()
    await destination.probe(async () => undefined)
  })
}

/** Whether this agent can read and write in a folder that is there: `no-access`. */
export async function checkAgent(folder: DiskFolder, shares: ShareSettings): Promise<Obstacle[]> {
  const obstacles = await obstaclesOf(async () => {
    const destination = destinationAt(folder, shares)
    await destination.freeBytes()
    await destination.probe(async () => undefined)
  })
  return obstacles.map(({ message }) => ({ code: 'no-access', message }))
}

/**
 * Whether disks of a format can lie in a folder that is there: `sector-size`, `sparse`, `fat`. Nothing is known of the file
 * systems of shares.
 */
export async function checkFileSystem(
  { path }: DiskFolder,
  format: DiskFormat,
  factsOf: (path: string) => Promise<FolderFacts>,
): Promise<Obstacle[]> {
  if (isSharePath(path)) return []
  const { sectorSizeBytes, leavesOutZeros, isFat } = await factsOf(path)
  const obstacles: Obstacle[] = []
  if (format === 'Vhd' && sectorSizeBytes === 4096) {
    obstacles.push({ code: 'sector-size', message: `${path} is on a drive with sectors of 4096 bytes` })
  }
  if (leavesOutZeros) {
    obstacles.push({ code: 'sparse', message: `${path} is on a file system that leaves out zeros` })
  }
  if (isFat) obstacles.push({ code: 'fat', message: `${path} is on a FAT file system` })
  return obstacles
}

/** Whether a host can use disks of a folder that is there: `machines-path`, `no-access`, `unknown`. */
export async function checkPermissions(
  folder: DiskFolder,
  driver: HostDriver,
  shares: ShareSettings,
): Promise<Obstacle[]> {
  const reasons = await driver.unsupportedReasons()
  const unusable = reasons.find(({ code }) => code === 'path-unusable')
  if (unusable !== undefined) return [{ code: 'machines-path', message: unusable.message }]
  try {
    await destinationAt(folder, shares).probe((path) => driver.checkDisks([{ path, format: 'raw' }]))
    return []
  } catch (error) {
    const isRefused =
      error instanceof HostFailure && ['disk-unusable', 'access-denied'].includes(error.problem.code)
    return [{ code: isRefused ? 'no-access' : 'unknown', message: describe(error) }]
  }
}

async function obstaclesOf(attempt: () => Promise<void>): Promise<Obstacle[]> {
  try {
    await attempt()
    return []
  } catch (error) {
    if (!(error instanceof TaskFailure)) throw error
    return [{ code: error.code, message: error.message }]
  }
}
