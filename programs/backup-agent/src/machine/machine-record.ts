import type { DiskFormat, MachineToMake } from '@palisade/agent-protocol'
import type { MachineDefinition } from '../hosts/machine.ts'
import type { CredentialsSeal } from '../state/credentials-seal.ts'
import type { MachineRecord } from '../state/journal.ts'

/** A machine as the journal keeps it. */
export function recordOf({ host, ...machine }: MachineToMake, seal: CredentialsSeal): MachineRecord {
  const { hostName, credentials } = host
  return {
    ...machine,
    ...(hostName === undefined ? {} : { hostName }),
    ...(credentials === undefined ? {} : { sealedLogon: seal.seal(credentials) }),
  }
}

/** A machine from the journal. Without a logon when that cannot be opened any more. */
export function machineOf(
  { hostName, sealedLogon, ...machine }: MachineRecord,
  seal: CredentialsSeal,
): MachineToMake {
  const credentials = seal.open(sealedLogon)
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
