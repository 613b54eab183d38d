import type { DiskFolder, DiskFormat, Obstacle } from '@palisade/agent-protocol'
import { describe } from '@palisade/start-up'
import type { AllowedDestinations } from '../destinations/allowed-destinations.ts'
import type { Destination } from '../destinations/destination.ts'
import { destinationAt } from '../destinations/destination-at.ts'
import { LocalFolder } from '../destinations/local-folder.ts'
import { TaskFailure } from '../failure.ts'
import { HostFailure } from '../hosts/failure.ts'
import type { HostDriver } from '../hosts/host-driver.ts'
import type { ShareSettings } from '../shares/share-settings.ts'
import type { FolderFacts } from './folder-facts.ts'
import { replaceable, whyReplaceable } from './replaceable-folder.ts'

/** What is needed to get at a folder. */
export interface FolderAccess {
  readonly shares: ShareSettings
  /** Where restores may write to. */
  readonly destinations: AllowedDestinations
}

/**
 * Makes the folder and tries to write there.
 *
 * @returns obstacles with the codes of the specification's destination table
 */
export async function checkPath(folder: DiskFolder, access: FolderAccess): Promise<Obstacle[]> {
  return obstaclesOf(async () => {
    const destination = at(folder, access)
    await destination.prepare()
    await destination.probe(async () => undefined)
  })
}

/** Whether this agent can read and write in a folder that is there: `no-access`. */
export async function checkAgent(folder: DiskFolder, access: FolderAccess): Promise<Obstacle[]> {
  const obstacles = await obstaclesOf(async () => {
    const destination = at(folder, access)
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
  folder: DiskFolder,
  format: DiskFormat,
  access: FolderAccess,
  factsOf: (path: string) => Promise<FolderFacts>,
): Promise<Obstacle[]> {
  const destination = at(folder, access)
  if (!(destination instanceof LocalFolder)) return []
  const { path } = folder
  const { sectorSizeBytes, leavesOutZeros, isFat } = await destination.use(factsOf)
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
  access: FolderAccess,
): Promise<Obstacle[]> {
  const reasons = await driver.unsupportedReasons()
  const unusable = reasons.find(({ code }) => code === 'path-unusable')
  if (unusable !== undefined) return [{ code: 'machines-path', message: unusable.message }]
  try {
    const destination = at(folder, access)
    if (destination instanceof LocalFolder) {
      const why = await whyReplaceable(destination.folder)
      if (why !== undefined) return [{ code: 'no-access', message: replaceable(why).message }]
    }
    await destination.probe((path) => driver.checkDisks([{ path, format: 'raw' }]))
    return []
  } catch (error) {
    const isRefused =
      error instanceof HostFailure && ['disk-unusable', 'access-denied'].includes(error.problem.code)
    return [{ code: isRefused ? 'no-access' : 'unknown', message: describe(error) }]
  }
}

function at(folder: DiskFolder, { shares, destinations }: FolderAccess): Destination {
  return destinationAt(folder, shares, destinations)
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
