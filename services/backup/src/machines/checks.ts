import type { DiskFormat, HostDescription, Obstacle } from '@palisade/agent-protocol'
import { restoreMessages } from '../restore/restore-refused.ts'
import type { Revision } from '../revisions/revisions.ts'
import type { FirmwareType, MachineSize } from './fields.ts'
import { machineMessages } from './messages.ts'

/** What a host offers; it can be used. */
export type HostOffer = NonNullable<HostDescription['offer']>

/** Where an MBR ends: two terabytes as Windows counts them. */
const biosVolumeMaxBytes = 2 * 1024 ** 4

/** Validation of the source machine (reference, section 2.5): firmware, volumes and operating system. */
export function sourceMachineObstacles(
  firmware: FirmwareType,
  revisions: readonly Revision[],
): readonly string[] {
  const machines = bootRevisions(revisions)
  if (firmware === 'bios') return revisions.some(isOverTwoTerabytes) ? [machineMessages.biosTooLarge] : []
  const obstacles: string[] = []
  if (machines.some(({ hardware }) => hardware?.is64Bit === false)) {
    obstacles.push(machineMessages.uefiNeeds64Bit)
  }
  if (machines.some((boot) => boot.hardware?.is64Bit && windowsVersionOf(boot) < 6.2)) {
    obstacles.push(machineMessages.windows7Uefi)
  }
  return obstacles
}

/** Validation of the host's capabilities (reference, sections 2.4 and 2.5). */
export function capabilityObstacles(
  firmware: FirmwareType,
  revisions: readonly Revision[],
  offer: HostOffer,
): readonly string[] {
  const { generations, vhdx } = capabilitiesOf(offer)
  const boots = bootRevisions(revisions)
  const obstacles: string[] = []
  if (!generations && !vhdx && boots.some(isWindows10)) obstacles.push(machineMessages.windows2008R2)
  if (!generations && vhdx && boots.some(isOverTwoTerabytes)) obstacles.push(machineMessages.windows2012)
  if (!generations && firmware === 'uefi') obstacles.push(machineMessages.uefiNotSelectable)
  return obstacles
}

/** Without a boot volume there is nothing to start. */
export function bootObstacles(revisions: readonly Revision[]): readonly string[] {
  return bootRevisions(revisions).length > 0 ? [] : [machineMessages.noBootVolume]
}

/**
 * The specification's rules about formats, as far as they are the host's: what a host without VHDX takes (see
 * `docs/decisions/backup-machines.md` for how that is read), and that Hyper-V starts UEFI from VHDX only, whatever the
 * machine had before.
 */
export function formatObstacles(
  diskFormat: DiskFormat,
  firmware: FirmwareType,
  offer: HostOffer,
): readonly string[] {
  if (diskFormat === 'Vhdx') return capabilitiesOf(offer).vhdx ? [] : [machineMessages.vhdxNotSupported]
  const needsVhdx = firmware === 'uefi' && offer.hypervisor.name === 'Hyper-V'
  return needsVhdx ? [restoreMessages.uefiNeedsVhdx] : []
}

/** A machine runs before its disks are copied only where the agent says that it can. */
export function instantStartObstacles(
  instantStart: boolean,
  { startsInstantly }: HostOffer,
): readonly string[] {
  return instantStart && startsInstantly !== true ? [machineMessages.instantNotSupported] : []
}

/** Validation of server settings (reference, section 2.5). */
export function sizeObstacles({ cores, memoryMebibytes }: MachineSize, offer: HostOffer): readonly string[] {
  const obstacles: string[] = []
  const { maximum: memoryMax } = offer.memoryMebibytes
  if (memoryMebibytes > memoryMax) {
    obstacles.push(machineMessages.memoryExceeds(memoryMax, memoryMebibytes))
  } else if (!isOffered(memoryMebibytes, offer.memoryMebibytes)) {
    const { minimum, increment } = offer.memoryMebibytes
    obstacles.push(machineMessages.notOffered('memory', minimum, increment))
  }
  if (cores > offer.cores.maximum) obstacles.push(machineMessages.coresExceed(offer.cores.maximum, cores))
  else if (!isOffered(cores, offer.cores)) {
    obstacles.push(machineMessages.notOffered('cores', offer.cores.minimum, offer.cores.increment))
  }
  return obstacles
}

/** A machine is attached to a switch that is there, or to none. */
export function switchObstacles(
  switchId: string | undefined,
  { virtualSwitches }: HostOffer,
): readonly string[] {
  const isThere = virtualSwitches.some(({ id }) => id === switchId)
  return switchId === undefined || isThere ? [] : [machineMessages.switchUnknown]
}

/** What the reference derives from a host: `supportsVmGenerations` and `supportsVhdxFormat`. */
export function capabilitiesOf({ firmware, diskFormats }: HostOffer) {
  return { generations: firmware.includes('uefi'), vhdx: diskFormats.includes('vhdx') }
}

/** What an agent found of a folder, in the words of the reference's network validation; its order. */
export function networkMessages(path: string, obstacles: readonly Obstacle[]): readonly string[] {
  const messages = {
    'sector-size': machineMessages.largeSectors,
    sparse: machineMessages.sparse,
    fat: machineMessages.fat,
  }
  return Object.entries(messages).flatMap(([code, message]) =>
    obstacles.some((obstacle) => obstacle.code === code) ? [message(path)] : [],
  )
}

/** What an agent found of a host's access to a folder, in the words of the reference's permission validation. */
export function permissionMessages(
  { hostId, path, offer }: { hostId: number; path: string; offer: HostOffer | undefined },
  obstacles: readonly Obstacle[],
): readonly string[] {
  return obstacles.map(({ code }) => {
    if (code === 'machines-path') return machineMessages.machinesPath
    if (code !== 'no-access') return machineMessages.permissionsUnknown(hostId, path)
    const { name, version } = offer?.hypervisor ?? { name: '', version: '' }
    const isOldWindows = name === 'Hyper-V' && versionNumber(version) < 6.2
    return isOldWindows ? machineMessages.permissionsOld(path) : machineMessages.permissions(path)
  })
}

function isOffered(value: number, { minimum, increment }: { minimum: number; increment: number }): boolean {
  return value >= minimum && value % increment === 0
}

function bootRevisions(revisions: readonly Revision[]): readonly Revision[] {
  return revisions.filter(({ volume }) => volume.isBoot)
}

function isOverTwoTerabytes({ volume }: Revision): boolean {
  return volume.capacityBytes > biosVolumeMaxBytes
}

function isWindows10(revision: Revision): boolean {
  const build = Number(revision.hardware?.osVersion.split('.')[2] ?? 0)
  return windowsVersionOf(revision) === 10 && build >= 10_240
}

/** 6.1 for Windows 7, 10 for 10.0.…; infinite for other systems, whose kernels count differently, and when not known. */
function windowsVersionOf({ volume, hardware }: Revision): number {
  const isWindows = hardware !== null && volume.fileSystem === 'ntfs'
  return isWindows ? versionNumber(hardware.osVersion) : Number.POSITIVE_INFINITY
}

function versionNumber(version: string): number {
  const [, number] = /^(\d{1,3}\.\d{1,2})(?:\.|$)/.exec(version) ?? []
  return number === undefined ? Number.POSITIVE_INFINITY : Number(number)
}
