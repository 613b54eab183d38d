import { isGuid } from '../hosts/guid.ts'
import { asObject, asText, oneOf } from '../restore/read-fields.ts'
import { machineMessages } from './messages.ts'

/*
 * Members of requests about machines; see `restore/read-fields.ts`.
 */

export type FirmwareType = 'bios' | 'uefi'
export type RecoveryType = 'TestRecovery' | 'ProductionRecovery'

/** How large a machine is to be. */
export interface MachineSize {
  readonly cores: number
  readonly memoryMebibytes: number
}

export function readSessionId(given: unknown, errors: string[]): string | undefined {
  if (typeof given === 'string' && isGuid(given)) return given.toLowerCase()
  errors.push(machineMessages.session)
  return undefined
}

/** @param message what is said of the member, whose name is not the same everywhere */
export function readHostId(
  given: unknown,
  errors: string[],
  message: string = machineMessages.host,
): number | undefined {
  if (typeof given === 'number' && Number.isSafeInteger(given)) return given
  errors.push(message)
  return undefined
}

export function readRecoveryType(given: unknown, errors: string[]): RecoveryType | undefined {
  const types = { testrecovery: 'TestRecovery', productionrecovery: 'ProductionRecovery' } as const
  const type = oneOf<RecoveryType>(given, types)
  if (type === undefined) errors.push(machineMessages.recoveryType)
  return type
}

export function readFirmwareType(given: unknown, errors: string[]): FirmwareType | undefined {
  const firmware = oneOf<FirmwareType>(given, { bios: 'bios', uefi: 'uefi' })
  if (firmware === undefined) errors.push(machineMessages.firmwareType)
  return firmware
}

/** The members of `hostProperties`; undefined when there is no such object. */
export function readHostProperties(
  given: unknown,
  errors: string[],
): Readonly<Record<string, unknown>> | undefined {
  const properties = asObject(given)
  if (properties === undefined) errors.push(machineMessages.hostProperties)
  return properties
}

export function readSize(
  properties: Readonly<Record<string, unknown>>,
  errors: string[],
): MachineSize | undefined {
  const cores = asInteger(properties.cores)
  const memoryMebibytes = asInteger(properties.memory)
  if (cores === undefined) errors.push(machineMessages.cores)
  if (memoryMebibytes === undefined) errors.push(machineMessages.memory)
  return cores === undefined || memoryMebibytes === undefined ? undefined : { cores, memoryMebibytes }
}

/**
 * The switch of a machine: that of a production recovery, which needs one, or none.
 *
 * @param recoveryType undefined when that is wrong itself; nothing is said about the switch then
 */
export function readSwitchId(
  given: unknown,
  recoveryType: RecoveryType | undefined,
  errors: string[],
): string | undefined {
  const isGiven = given !== undefined && given !== null
  if (recoveryType === 'TestRecovery' && isGiven) errors.push(machineMessages.switchNotAllowed)
  if (recoveryType !== 'ProductionRecovery') return undefined
  const switchId = asText(given)
  if (switchId === undefined || switchId === '') errors.push(machineMessages.switchMissing)
  // Hosts say GUIDs in lower case; what is no GUID is compared as it is.
  return switchId !== undefined && isGuid(switchId) ? switchId.toLowerCase() : switchId
}

/** A member that may be left out, and then is false. */
export function readFlag(given: unknown, message: string, errors: string[]): boolean {
  if (given === undefined || given === null) return false
  if (typeof given === 'boolean') return given
  errors.push(message)
  return false
}

function asInteger(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined
}
