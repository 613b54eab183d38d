import type { DiskFormat, MachineToMake } from '@palisade/agent-protocol'
import type { MachineDefinition } from '../hosts/machine.ts'
import type { MachineRecord } from '../state/journal.ts'
import { openCredentials, sealCredentials } from '../state/sealed-credentials.ts'
import type { TextSeal } from '../state/text-seal.ts'

/** A machine as the journal keeps it. */
export function recordOf({ host, ...machine }: MachineToMake, seal: TextSeal): MachineRecord {
  const { hostName, credentials } = host
  return {
    ...machine,
    ...(hostName === undefined ? {} : { hostName }),
    ...(credentials === undefined ? {} : { sealedLogon: sealCredentials(credentials, seal) }),
  }
}

/** A machine from the journal. Without a logon when that cannot be opened any more. */
export function machineOf(
  { hostName, sealedLogon, ...machine }: MachineRecord,
  seal: TextSeal,
): MachineToMake {
  const credentials = openCredentials(sealedLogon, seal)
  const host = {
    ...(hostName === undefined ? {} : { hostName }),
    ...(credentials === undefined ? {} : { credentials }),
  }
  return { ...machine, host }
}

/** What a host is asked for. @param files in the order in which the machine is to see them, with their formats as extensions */
export function definitionOf(
  machine: Omit<MachineToMake, 'host'>,
  files: readonly string[],
): MachineDefinition {
  const { id, name, firmware, cores, memoryMebibytes, switchId } = machine
  const disks = files.map((path) => ({ path, format: formatOf(path) }))
  return {
    id,
    name,
    firmware,
    cores,
    memoryMebibytes,
    disks,
    ...(switchId === undefined ? {} : { switchId }),
  }
}

function formatOf(path: string): Lowercase<DiskFormat> {
  return path.endsWith('.vhdx') ? 'vhdx' : 'vhd'
}
