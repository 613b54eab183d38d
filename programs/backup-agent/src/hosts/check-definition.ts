import { isMachineName, machineNameLengthMax } from '@palisade/agent-protocol/wire'
import { HostFailure, type HostProblem } from './failure.ts'
import type { Allocation, HostCapabilities, VirtualSwitch } from './host-driver.ts'
import type { MachineDefinition } from './machine.ts'

/** Whether a machine's id is what the interface asks for. Ids become parts of paths and commands, so this is strict. */
export function isMachineId(id: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)
}

/**
 * Refuses a definition that no host takes, or that this one cannot meet, with the first thing that is wrong.
 *
 * Hosts may refuse more names than `isMachineName` does.
 *
 * @throws HostFailure
 */
export function checkDefinition(
  definition: MachineDefinition,
  host: { readonly capabilities: HostCapabilities; readonly switches: readonly VirtualSwitch[] },
): void {
  checkShape(definition)
  const { capabilities, switches } = host
  const { firmware, cores, memoryMebibytes, disks, switchId } = definition
  if (!capabilities.firmware.includes(firmware)) {
    refuse({ code: 'firmware-unsupported', firmware }, `this host has no machines with ${firmware} firmware`)
  }
  for (const { format } of disks) {
    if (capabilities.diskFormats.includes(format)) continue
    refuse({ code: 'format-unsupported', format }, `this host has no disks of the format ${format}`)
  }
  checkRange('cores-out-of-range', 'cores', cores, capabilities.cores)
  checkRange('memory-out-of-range', 'mebibytes of memory', memoryMebibytes, capabilities.memoryMebibytes)
  const disksMaximum = capabilities.disksMaximum[firmware]
  checkRange('disks-out-of-range', 'disks', disks.length, { minimum: 1, maximum: disksMaximum })
  if (switchId !== undefined && !switches.some(({ id }) => id === switchId)) {
    refuse({ code: 'switch-absent', switchId }, `this host has no virtual switch with the id ${switchId}`)
  }
}

function checkShape({ id, name, cores, memoryMebibytes, disks }: MachineDefinition): void {
  const expect = (isMet: boolean, field: string, expected: string) => {
    if (!isMet) refuse({ code: 'definition-invalid', field, expected }, `${field} must be ${expected}`)
  }
  expect(isMachineId(id), 'id', 'a UUID in lower case')
  expect(isMachineName(name), 'name', `1 to ${machineNameLengthMax} printable characters`)
  expect(Number.isSafeInteger(cores), 'cores', 'a whole number')
  expect(Number.isSafeInteger(memoryMebibytes), 'memoryMebibytes', 'a whole number')
  const isPath = (path: string) => /^(\/|[a-z]:[\\/]|\\\\)/i.test(path) && !/\p{Cc}/u.test(path)
  expect(
    disks.every(({ path }) => isPath(path)),
    'disks',
    'absolute paths without control characters',
  )
  expect(new Set(disks.map(({ path }) => path)).size === disks.length, 'disks', 'different files')
}

function checkRange(
  code: 'cores-out-of-range' | 'memory-out-of-range' | 'disks-out-of-range',
  noun: string,
  provided: number,
  { minimum, maximum, increment = 1 }: Partial<Allocation> & Pick<Allocation, 'minimum' | 'maximum'>,
): void {
  if (provided % increment !== 0) {
    const expected = `a multiple of ${increment}`
    refuse({ code: 'definition-invalid', field: noun, expected }, `${noun} must be ${expected}`)
  }
  if (provided >= minimum && provided <= maximum) return
  refuse(
    { code, minimum, maximum, provided },
    `a machine has ${minimum} to ${maximum} ${noun}, not ${provided}`,
  )
}

function refuse(problem: HostProblem, message: string): never {
  throw new HostFailure(problem, message)
}
