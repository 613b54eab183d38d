import { MadeMachine, ProofResult } from '@palisade/agent-protocol'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { parseStored } from '../stored-json.ts'
import type { TaskRow } from '../tables.ts'
import { type BackupRecord, BackupRequest, type RestoreRecord, RestoreRequest } from './task.ts'

const backupRequests = Compile(BackupRequest)
const restoreRequests = Compile(RestoreRequest)
const machines = Compile(MadeMachine)
const proofs = Compile(ProofResult)
const fileLists = Compile(Type.Array(Type.String()))

/** What a row of a backup or restore says. */
export function recordOf(row: TaskRow): BackupRecord | RestoreRecord {
  const common = {
    id: row.id,
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
        sealedCredentials: row.sealed_credentials,
      }
}

export function backupOf(row: TaskRow): BackupRecord {
  const record = recordOf(row)
  if (record.kind !== 'backup') throw new Error(`task ${row.id} is not a backup`)
  return record
}

export function restoreOf(row: TaskRow): RestoreRecord {
  const record = recordOf(row)
  if (record.kind !== 'restore') throw new Error(`task ${row.id} is not a restore`)
  return record
}
