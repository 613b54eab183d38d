import { MadeMachine, MessageOrigin, ProofResult, ServedDisks } from '@palisade/agent-protocol'
import { LazyValidator } from '@palisade/platform'
import { Type } from 'typebox'
import { parseStored } from '../stored-json.ts'
import type { TaskRow } from '../tables.ts'
import { type BackupRecord, BackupRequest, type RestoreRecord, RestoreRequest } from './task.ts'

const backupRequests = new LazyValidator(BackupRequest)
const restoreRequests = new LazyValidator(RestoreRequest)
const machines = new LazyValidator(MadeMachine)
const proofs = new LazyValidator(ProofResult)
const servedDisks = new LazyValidator(ServedDisks)
const origins = new LazyValidator(MessageOrigin)
const fileLists = new LazyValidator(Type.Array(Type.String()))

/** What a row of a backup or restore says. */
export function recordOf(row: TaskRow): BackupRecord | RestoreRecord {
  const common = {
    id: row.id,
    origin: row.origin === null ? null : parseStored(origins, row.origin),
    state: row.state,
    step: row.step,
    bytesDone: row.bytes_done,
    bytesTotal: row.bytes_total,
    error: row.error_code === null ? null : { code: row.error_code, message: row.error_message ?? '' },
    startedAt: row.started_at,
    endedAt: row.ended_at,
  }
  return row.kind === 'backup'
    ? {
        ...common,
        kind: 'backup',
        request: parseStored(backupRequests, row.request),
        revisionId: row.revision_id,
      }
    : {
        ...common,
        kind: 'restore',
        request: parseStored(restoreRequests, row.request),
        files: row.files === null ? [] : parseStored(fileLists, row.files),
        machine: row.machine === null ? null : parseStored(machines, row.machine),
        proof: row.proof === null ? null : parseStored(proofs, row.proof),
        served: row.served === null ? null : parseStored(servedDisks, row.served),
        sealedCredentials: row.sealed_credentials,
      }
}

/** What the row of a backup says. @throws Error when it is that of a restore */
export function backupOf(row: TaskRow): BackupRecord {
  const record = recordOf(row)
  if (record.kind !== 'backup') throw new Error(`task ${row.id} is not a backup`)
  return record
}

/** What the row of a restore says. @throws Error when it is that of a backup */
export function restoreOf(row: TaskRow): RestoreRecord {
  const record = recordOf(row)
  if (record.kind !== 'restore') throw new Error(`task ${row.id} is not a restore`)
  return record
}
