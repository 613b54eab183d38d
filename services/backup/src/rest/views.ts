import type { DiscoveredVolume, Hardware, MadeMachine, VolumeDescription } from '@palisade/agent-protocol'
import type { Static } from 'typebox'
import type { Action } from '../actions/action.ts'
import type { Computer } from '../computers/computers.ts'
import { type RevisionOrigin, sourceOf } from '../revision-origin.ts'
import type { Revision } from '../revisions/revisions.ts'
import type { BackupSet } from '../sets/sets.ts'
import { isSystemVolume } from '../system-volume.ts'
import type { BackupRecord, MachineRequest, Progress, RestoreRecord, TaskError } from '../tasks/task.ts'
import {
  type ActionView,
  actionStates,
  type BackupView,
  type ComputerView,
  type DiscoveredVolumeView,
  type HardwareView,
  type RestoreView,
  type RevisionDetailsView,
  type SetView,
} from './schemas.ts'

/** @param restoreTo what the agent says while it is connected */
export function computerView(
  computer: Computer,
  { online, restoreTo }: { readonly online: boolean; readonly restoreTo: readonly string[] | null },
  now: number,
): Static<typeof ComputerView> {
  const { computerId: id, name, lastSeenAt, agentVersion, platform, hostName, endToEndKeyCheck } = computer
  return {
    id,
    name,
    online,
    lastSeen: dateOrNull(online ? now : lastSeenAt),
    agentVersion,
    platform,
    hostName,
    endToEnd: endToEndKeyCheck !== null,
    endToEndKeyCheck,
    restoreTo: restoreTo === null ? null : [...restoreTo],
  }
}

/** @param waitsFor why the backup does not get on, while it is unfinished */
export function backupView(
  record: BackupRecord,
  live: Progress | undefined,
  waitsFor: TaskError | undefined,
): Static<typeof BackupView> {
  const { source } = record.request
  const error = record.endedAt === null ? (waitsFor ?? null) : record.error
  return { ...taskMembers(record, live), error, source, revisionId: record.revisionId }
}

/** The view of a restore. @param live what was heard of it since the record was stored; counts until it has ended */
export function restoreView(record: RestoreRecord, live: Progress | undefined): Static<typeof RestoreView> {
  const { destination, diskFormat, revisions, origins, machine } = record.request
  return {
    ...taskMembers(record, live),
    destination,
    diskFormat,
    volumes: revisions.map(({ revisionId, volume }) => ({
      revisionId,
      deviceId: volume.deviceId,
      driveLetter: volume.driveLetter,
      label: volume.label,
      capacity: volume.capacityBytes,
      ...originView(volume, origins?.[String(revisionId)] ?? null),
      isBoot: volume.isBoot,
    })),
    files: [...record.files],
    machine: machine ? machineView(machine, record.machine, isCopying(record, live)) : null,
    proof: record.proof && {
      state: proofStates[record.proof.verdict],
      reason: record.proof.reason,
      tookMilliseconds: record.proof.tookMs,
    },
    served: record.served && { ...record.served, lastFailure: record.served.lastFailure ?? null },
  }
}

const proofStates = { runs: 'RUNS', fails: 'FAILS', unclear: 'UNCLEAR' } as const

/** Whether a machine that was started at once runs, and its disks are being copied behind it. */
function isCopying({ endedAt, request, step }: RestoreRecord, live: Progress | undefined): boolean {
  return endedAt === null && request.machine?.make.instantStart === true && (live?.step ?? step) === 'copying'
}

/** @param made what the agent says there is of it at the end */
function machineView(
  { hostId, hostName, recoveryType, make }: MachineRequest,
  made: MadeMachine | null,
  isRunning: boolean,
) {
  const { id, name } = make
  if (isRunning) return { id, name, hostId, hostName, recoveryType, state: 'STARTED' as const }
  const state = made ? (made.isStarted ? ('STARTED' as const) : ('DEFINED' as const)) : ('NONE' as const)
  return { id, name, hostId, hostName, recoveryType, state }
}

/** @param live what was heard since the record was stored */
function taskMembers(record: BackupRecord | RestoreRecord, live: Progress | undefined) {
  const { step, bytesDone, bytesTotal } = record.endedAt === null ? (live ?? record) : record
  return {
    id: record.id,
    state: record.state,
    step,
    bytesDone,
    bytesTotal,
    percent: percentOf(record, bytesDone, bytesTotal),
    error: record.error,
    started: new Date(record.startedAt).toISOString(),
    ended: dateOrNull(record.endedAt),
  }
}

function percentOf({ state }: BackupRecord | RestoreRecord, bytesDone: number, bytesTotal: number): number {
  if (state === 'SUCCESS') return 100
  return bytesTotal === 0 ? 0 : Math.min(100, Math.floor((bytesDone / bytesTotal) * 100))
}

/** What was backed up, in words that its owner knows. */
function originView(volume: VolumeDescription, origin: RevisionOrigin | null) {
  return {
    source: sourceOf(volume, origin),
    partitionNumber: volume.placement?.number ?? null,
    fileSystem: volume.fileSystem,
    hostName: origin?.hostName ?? null,
    backupSetName: origin?.setName ?? null,
  }
}

/** The view of a revision, with dates in the form of the reference. */
export function revisionDetailsView(revision: Revision): Static<typeof RevisionDetailsView> {
  const { id, volume, createdAt, origin, setId, endToEndKeyCheck, verification, proof } = revision
  const { provedBootableAt, isPinned } = revision
  const { source, partitionNumber, fileSystem, hostName, backupSetName } = originView(volume, origin)
  return {
    Id: id,
    DeviceId: volume.deviceId,
    DriveLetter: volume.driveLetter,
    Label: volume.label,
    DateTime: roundTripDate(createdAt),
    Capacity: volume.capacityBytes,
    UsedSpace: volume.usedBytes,
    IsBoot: volume.isBoot,
    Source: source,
    PartitionNumber: partitionNumber,
    FileSystem: fileSystem,
    HostName: hostName,
    BackupSetName: backupSetName,
    IsSystem: isSystemVolume(volume),
    BackupSetId: setId,
    Pinned: isPinned,
    EndToEnd: endToEndKeyCheck !== null,
    EndToEndKeyCheck: endToEndKeyCheck,
    Verification: verification && {
      State: verification.state,
      DateTime: roundTripDate(verification.atMs),
      SamplePercent: verification.samplePercent,
      Compared: verification.compared === 'sealed-bytes' ? 'SealedBytes' : 'Content',
      Message: verification.message,
    },
    LastProvedBootable: provedBootableAt === null ? null : roundTripDate(provedBootableAt),
    Proof: proof && {
      State: proofStates[proof.verdict],
      DateTime: roundTripDate(proof.atMs),
      Reason: proof.reason,
      TookMilliseconds: proof.tookMs,
      HasScreenshot: proof.hasScreenshot,
      RestoreId: proof.restoreId,
    },
  }
}

/** The view of an action; `status` is the place of its state in {@link actionStates}, counted from 1. */
export function actionView(action: Action): Static<typeof ActionView> {
  return {
    id: String(action.id),
    kind: action.kind,
    state: action.state,
    status: actionStates.indexOf(action.state) + 1,
    reason: action.reason,
    backupSetId: action.setId,
    created: new Date(action.createdAt).toISOString(),
    ended: dateOrNull(action.endedAt),
  }
}

/** What somebody has made of a set: all of it that changes by a request alone. */
export function setContent({ id, name, enabled, definition }: BackupSet) {
  return { id, name, type: 'Disk_Image' as const, enabled, ...definition }
}

/** @param more `nextRunAt` and `nextProofAt` are milliseconds since 1970; undefined when there is none to come */
export function setView(
  set: BackupSet,
  more: {
    readonly nextRunAt: number | undefined
    readonly nextProofAt: number | undefined
    readonly lastRun: Action | undefined
    readonly lastProof: Action | undefined
  },
): Static<typeof SetView> {
  return {
    ...setContent(set),
    warning: set.warning,
    nextRun: dateOrNull(more.nextRunAt ?? null),
    nextProof: dateOrNull(more.nextProofAt ?? null),
    lastRun: more.lastRun ? actionView(more.lastRun) : null,
    lastProof: more.lastProof ? actionView(more.lastProof) : null,
  }
}

/** Why a volume that could be backed up is not chosen by `%All%`: another set has it (reference, section 2.7). */
const includedInAnotherSet = 64

/** @param isCovered whether a backup set has the volume */
export function discoveredVolumeView(
  { source, volume, volumeKind, driveType, unsupportedReason }: DiscoveredVolume,
  isCovered: boolean,
): Static<typeof DiscoveredVolumeView> {
  const reason = unsupportedReason === 0 && isCovered ? includedInAnotherSet : unsupportedReason
  return {
    deviceId: volume.deviceId,
    driveLetter: volume.driveLetter,
    label: volume.label,
    capacity: volume.capacityBytes,
    usedSpace: volume.usedBytes,
    isBoot: volume.isBoot,
    volumeKind,
    driveType,
    isSupported: reason === 0,
    volumeUnsupportedReason: reason,
    source,
  }
}

/** The machine of a boot volume, and what starts it. */
export function hardwareView(hardware: Hardware, { volume }: Revision): Static<typeof HardwareView> {
  const { cores, memoryMebibytes, osVersion, is64Bit } = hardware
  return {
    cores,
    memorySize: memoryMebibytes,
    osVersion,
    is64Bit,
    firmwareType: volume.firmware === 'uefi' ? 'Uefi' : 'Bios',
  }
}

/** .NET's round-trip form: 2030-01-01T00:00:00.0000000+00:00. */
function roundTripDate(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '0000+00:00')
}

function dateOrNull(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}
