import { HostFailure } from '../failure.ts'
import type { OriginOfDisk } from '../instant-host.ts'
import type { MachineDefinition } from '../machine.ts'
import type { DiskOrigin, NetworkCard } from './command-line.ts'
import type { MachineFolder } from './machine-folder.ts'
import { giveTo, type MachineUser } from './machine-user.ts'
import type { PassedFiles } from './passed-files.ts'
import type { QemuNetwork } from './qemu-switch.ts'
import { openTap } from './tap-device.ts'

/** Opens what a machine is made of, for QEMU. */
export async function openParts(
  { disks, firmware, recordSerial = false }: MachineDefinition,
  folder: MachineFolder,
  origins: readonly OriginOfDisk[],
  files: PassedFiles,
  user: MachineUser | undefined,
) {
  const diskNames: string[] = []
  for (const { path } of disks) diskNames.push(await openDisk(path, files))
  const variables = firmware === 'uefi' ? { variables: await files.addDisk(folder.variablesPath) } : {}
  const serial = recordSerial ? { serialRecord: await files.addRecord(folder.serialPath) } : {}
  const diskOrigins = new Map<number, DiskOrigin>()
  for (const [index, { exportName }] of origins.entries()) {
    const overlay = await files.addDisk(folder.overlayPath(index))
    diskOrigins.set(index, { socketPath: folder.originSocketName, exportName, overlay })
  }
  if (diskOrigins.size > 0) await giveTo(folder.originSocketPath, user)
  return { diskNames, ...variables, ...serial, origins: diskOrigins }
}

async function openDisk(path: string, files: PassedFiles): Promise<string> {
  try {
    return await files.addDisk(path)
  } catch (cause) {
    throw new HostFailure({ code: 'disk-unusable', path }, `the host cannot read and write ${path}`, {
      cause,
    })
  }
}

/** Root plugs machines into bridges itself; for others QEMU asks its helper. */
export async function cardIn(network: QemuNetwork, files: PassedFiles): Promise<NetworkCard> {
  if (network.kind !== 'bridge' || process.getuid?.() !== 0) return network
  return { kind: 'tap', descriptor: files.addOpen(await openTap(network.bridge)) }
}
