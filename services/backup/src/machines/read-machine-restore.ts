import { type DiskFormat, isMachineName } from '@palisade/agent-protocol'
import { destinationKind } from '../restore/destination-kind.ts'
import {
  asObject,
  asText,
  type DiskFolder,
  readDiskFormat,
  readFolder,
  readRevisionIds,
} from '../restore/read-fields.ts'
import { restoreRefused } from '../restore/restore-refused.ts'
import {
  type FirmwareType,
  type MachineSize,
  type RecoveryType,
  readFirmwareType,
  readFlag,
  readHostId,
  readHostProperties,
  readRecoveryType,
  readSessionId,
  readSize,
  readSwitchId,
} from './fields.ts'
import { machineMessages } from './messages.ts'
import { type ProofWish, readProof } from './read-proof.ts'

/** A restore as a virtual machine whose form is right. */
export interface MachineRestoreRequest extends MachineSize {
  readonly sessionId: string
  readonly hostId: number
  readonly recoveryType: RecoveryType
  readonly folder: DiskFolder
  readonly diskFormat: DiskFormat
  readonly firmware: FirmwareType
  readonly name: string
  /** Of production recoveries only. */
  readonly switchId: string | undefined
  readonly revisionIds: readonly number[]
  readonly skipValidations: boolean
  /** Whether the machine is started when it is made; not in the specification. */
  readonly start: boolean
  /** Of test recoveries that are to prove that the machine starts, and to leave nothing; not in the specification. */
  readonly proof: ProofWish | undefined
  /** Whether the machine is started from the vault, before its disks are copied; not in the specification. */
  readonly instantStart: boolean
}

/**
 * Reads the body of a restore as a virtual machine.
 *
 * @throws RequestInvalid naming everything that is wrong, in the order of the specification's table
 */
export function readMachineRestore(body: unknown): MachineRestoreRequest {
  const errors: string[] = []
  const fields = asObject(body) ?? {}
  const sessionId = readSessionId(fields.sessionId, errors)
  const hostId = readHostId(fields.hostId, errors)
  const recoveryType = readRecoveryType(fields.recoveryType, errors)
  const folder = readFolder(fields.diskLocation, 'disklocation', errors)
  const diskFormat = readDiskFormat(fields.diskFormat, errors)
  const firmware = readFirmwareType(fields.firmwareType, errors)
  const machine = readMachine(fields.hostProperties, recoveryType, errors)
  const revisionIds = readRevisionIds(fields.revisions, errors)
  const skipValidations = readFlag(fields.skipValidations, machineMessages.skipValidations, errors)
  const start = readFlag(fields.start, machineMessages.start, errors)
  const proof = readProof(fields, recoveryType, errors)
  const instantStart = readFlag(fields.instantStart, machineMessages.instantStart, errors)
  const isRemote = folder !== undefined && destinationKind(folder.path) === 'remote'
  if (instantStart && (diskFormat === 'Vhd' || isRemote || proof !== undefined)) {
    errors.push(machineMessages.instantNeeds)
  }
  const isComplete =
    sessionId !== undefined &&
    hostId !== undefined &&
    recoveryType !== undefined &&
    folder !== undefined &&
    diskFormat !== undefined &&
    firmware !== undefined &&
    machine !== undefined &&
    revisionIds !== undefined
  if (errors.length > 0 || !isComplete) throw restoreRefused(errors)
  return {
    sessionId,
    hostId,
    recoveryType,
    folder,
    diskFormat,
    firmware,
    ...machine,
    revisionIds,
    skipValidations,
    start,
    proof,
    instantStart,
  }
}

function readMachine(
  value: unknown,
  recoveryType: RecoveryType | undefined,
  errors: string[],
): Pick<MachineRestoreRequest, 'name' | 'cores' | 'memoryMebibytes' | 'switchId'> | undefined {
  const properties = readHostProperties(value, errors)
  if (properties === undefined) return undefined
  const name = asText(properties.name)
  if (name === undefined) errors.push(machineMessages.name)
  else if (!isMachineName(name)) errors.push(machineMessages.nameInvalid)
  const size = readSize(properties, errors)
  const switchId = readSwitchId(properties.virtualSwitchId, recoveryType, errors)
  return name === undefined || size === undefined ? undefined : { name, ...size, switchId }
}
