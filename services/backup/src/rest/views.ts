import type { Static } from 'typebox'
import type { Computer } from '../computers/computers.ts'
import type { Revision } from '../revisions/revisions.ts'
import type { BackupRecord, Progress, RestoreRecord } from '../tasks/task.ts'
import type { BackupView, ComputerView, RestoreView, RevisionView } from './schemas.ts'

export function computerView(computer: Computer, online: boolean, now: number): Static<typeof ComputerView> {
  const { computerId: id, name, lastSeenAt, agentVersion, platform, hostName } = computer
  return {
    id,
    name,
    online,
    lastSeen: dateOrNull(online ? now : lastSeenAt),
    agentVersion,
    platform,
    hostName,
  }
}

export function backupView(record: BackupRecord, live: Progress | undefined): Static<typeof BackupView> {
  const { source } = record.request
  return { ...taskMembers(record, live), source, revisionId: record.revisionId }
}

export function restoreView(record: RestoreRecord, live: Progress | undefined): Static<typeof RestoreView> {
  const { destination, diskFormat, revisions } = record.request
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
    })),
    files: [...record.files],
  }
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

export function revisionView({ id, volume, createdAt }: Revision): Static<typeof RevisionView> {
  return {
    Id: id,
    DeviceId: volume.deviceId,
    DriveLetter: volume.driveLetter,
    Label: volume.label,
    DateTime: roundTripDate(createdAt),
    Capacity: volume.capacityBytes,
    UsedSpace: volume.usedBytes,
    IsBoot: volume.isBoot,
  }
}

/** .NET's round-trip form: 2030-01-01T00:00:00.0000000+00:00. */
function roundTripDate(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '0000+00:00')
}

function dateOrNull(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}
