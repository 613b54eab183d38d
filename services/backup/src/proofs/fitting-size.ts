import type { Hardware } from '@palisade/agent-protocol'
import type { HostOffer } from '../machines/checks.ts'
import type { MachineSize } from '../machines/fields.ts'

type Allocation = HostOffer['cores']

/**
 * How large a machine is to be that nobody has said anything about: as the one that was backed up, as far as the host has it. Of a
 * host with less memory it gets half, since what is free now is not free in a moment.
 */
export function fittingSize(
  original: Hardware | undefined,
  { cores, memoryMebibytes }: HostOffer,
): MachineSize {
  const { default: usual, maximum } = memoryMebibytes
  const memory = original?.memoryMebibytes ?? usual
  return {
    cores: fitting(original?.cores ?? cores.default, cores),
    memoryMebibytes: fitting(
      memory > maximum ? Math.max(usual, Math.floor(maximum / 2)) : memory,
      memoryMebibytes,
    ),
  }
}

function fitting(ideal: number, { minimum, maximum, increment }: Allocation): number {
  const within = Math.min(Math.max(ideal, minimum), maximum)
  return within - (within % increment)
}
