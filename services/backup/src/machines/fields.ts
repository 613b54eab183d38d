import { isGuid } from '../hosts/guid.ts'
import { asObject, asText, oneOf } from '../restore/read-fields.ts'
import { machineMessages } from './messages.ts'

/*
 * Members of requests about machines; see `restore/read-fields.ts`.
 */

/** How a machine starts. */
export type FirmwareType = 'bios' | 'uefi'
/** Without a network, or on a switch of the host. */
export type RecoveryType = 'TestRecovery' | 'ProductionRecovery'

/** How large a machine is to be. */
export interface MachineSize {
  readonly cores: number
  readonly memoryMebibytes: number
}

/** The id of a session. What is wrong goes into `errors`, as in all readers of this folder. */
export function readSessionId(value: unknown, errors: string[]): string | undefined {
  if (typeof value === 'string' && isGuid(value)) return value.toLowerCase()
  errors.push(machineMessages.session)
  return undefined
}

/** @param message what is said of the member, whose name is not the same everywhere */
export function readHostId(
  value: unknown,
  errors: string[],
  message: string = machineMessages.host,
): number | undefined {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value
  errors.push(message)
  return undefined
}

/** In any case of its letters, as clients send it. */
export function readRecoveryType(value: unknown, errors: string[]): RecoveryType | undefined {
  const types = { testrecovery: 'TestRecovery', productionrecovery: 'ProductionRecovery' } as const
  const type = oneOf<RecoveryType>(value, types)
  if (type === undefined) errors.push(machineMessages.recoveryType)
  return type
}

/** In any case of its letters, as clients send it. */
export function readFirmwareType(value: unknown, errors: string[]): FirmwareType | undefined {
  const firmware = oneOf<FirmwareType>(value, { bios: 'bios', uefi: 'uefi' })
  if (firmware === undefined) errors.push(machineMessages.firmwareType)
  return firmware
}

/** The members of `hostProperties`; undefined when there is no such object. */
export function readHostProperties(
  value: unknown,
  errors: string[],
): Readonly<Record<string, unknown>> | undefined {
  const properties = asObject(value)
  if (properties === undefined) errors.push(machineMessages.hostProperties)
  return properties
}

/** The members `cores` and `memory` (mebibytes), both whole numbers; undefined when either is wrong. Ranges depend on the host. */
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
  value: unknown,
  recoveryType: RecoveryType | undefined,
  errors: string[],
): string | undefined {
  const isGiven = value !== undefined && value !== null
  if (recoveryType === 'TestRecovery' && isGiven) errors.push(machineMessages.switchNotAllowed)
  if (recoveryType !== 'ProductionRecovery') return undefined
  const switchId = asText(value)
  if (switchId === undefined || switchId === '') errors.push(machineMessages.switchMissing)
  // Hosts say GUIDs in lower case; what is no GUID is compared as it is.
  return switchId !== undefined && isGuid(switchId) ? switchId.toLowerCase() : switchId
}

/** A member that may be left out, and then is false. */
export function readFlag(value: unknown, message: string, errors: string[]): boolean {
  if (value === undefined || value === null) return false
  if (typeof value === 'boolean') return value
  errors.push(message)
  return false
}

function asInteger(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined
}
