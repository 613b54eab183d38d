/**
 * Which volumes this machine has. Asked of the kernel: disks with their partitions, logical volumes and other mappings,
 * software RAID; and of the operator: images.
 */

import type { BackupSource, DiscoveredVolume } from '@palisade/agent-protocol'
import type { Log } from '@palisade/log'
import { describe } from '@palisade/start-up'
import { isChosen, type VolumeChoice } from './choice.ts'
import { readPartitionsIfAny, wholeSource } from './find-partition.ts'
import { isOwnDisk } from './listed-devices.ts'
import { locate } from './locate.ts'
import { disksBelow, type Machine, pathOf, readBlockDevices, thisMachine } from './machine.ts'
import { openSource } from './open-source.ts'
import { describeVolume, type Volume } from './open-volume.ts'

/** Numbers of the protocol, which are those of the reference, section 2.7. */
const volumeKinds = {
  none: 0,
  primary: 1,
  logicalDrive: 2,
  simple: 3,
  spanned: 4,
  striped: 5,
  mirror: 6,
  raid5: 7,
}
const driveTypes = { removable: 2, fixed: 3 }
const reasons = { none: 0, fileSystem: 1, removable: 2, encrypted: 4 }

const raidKinds: Readonly<Record<string, number>> = {
  linear: volumeKinds.spanned,
  raid0: volumeKinds.striped,
  raid1: volumeKinds.mirror,
  raid10: volumeKinds.mirror,
  raid4: volumeKinds.raid5,
  raid5: volumeKinds.raid5,
  raid6: volumeKinds.raid5,
}

const notOffered: ReadonlySet<string> = new Set(['swap', 'lvm2', 'mdraid'])

/** Looks for volumes. One that cannot be read is left out, and the log says so. */
export async function discoverVolumes(
  settings: VolumeChoice,
  log: Log,
  machine: Machine = thisMachine,
): Promise<DiscoveredVolume[]> {
  const devices = await readBlockDevices(machine)
  const paths = devices
    .filter((device) => isOwnDisk(device, devices))
    .map((device) => pathOf(machine, device))
  const volumes: DiscoveredVolume[] = []
  for (const path of new Set([...paths, ...settings.images])) {
    try {
      volumes.push(...(await volumesOf(path, settings, machine)))
    } catch (error) {
      log.warn({ path }, `cannot read a device: ${describe(error)}`)
    }
  }
  return volumes
}

async function volumesOf(
  path: string,
  settings: VolumeChoice,
  machine: Machine,
): Promise<readonly DiscoveredVolume[]> {
  const disk = await openSource(path, 'followed')
  try {
    const partitions = await readPartitionsIfAny(disk)
    const volumes: DiscoveredVolume[] = []
    for (const partition of partitions.length === 0 ? [wholeSource(disk)] : partitions) {
      const { number } = partition
      const source: BackupSource = number === undefined ? { path } : { path, partition: number }
      const place = await locate(machine, source)
      if (partition.sizeBytes === 0 || !(await isChosen(settings, source, place, machine))) continue
      volumes.push(await discovered(await describeVolume(disk, place, partition), machine))
    }
    return volumes
  } finally {
    await disk.close()
  }
}

async function discovered(volume: Volume, machine: Machine): Promise<DiscoveredVolume> {
  const { device, source } = volume.place
  const disks = device === undefined ? [] : await disksBelow(machine, device)
  const isRemovable = disks.some((disk) => disk.isRemovable)
  return {
    source,
    volume: volume.description,
    volumeKind: kindOf(volume, disks.length),
    driveType: isRemovable ? driveTypes.removable : driveTypes.fixed,
    unsupportedReason: isRemovable ? reasons.removable : reasonOf(volume),
  }
}

function kindOf({ partition, place: { device } }: Volume, diskCount: number): number {
  if (partition.number !== undefined)
    return partition.isLogical ? volumeKinds.logicalDrive : volumeKinds.primary
  if (device?.raidLevel !== undefined) return raidKinds[device.raidLevel] ?? volumeKinds.none
  if (device?.mapping !== undefined) return diskCount > 1 ? volumeKinds.spanned : volumeKinds.simple
  return volumeKinds.none
}

/** What is offered is what somebody would want back: not memory on disk, nor the pieces of other volumes. */
function reasonOf({ description: { fileSystem } }: Volume): number {
  if (fileSystem === 'luks') return reasons.encrypted
  return notOffered.has(fileSystem) ? reasons.fileSystem : reasons.none
}
