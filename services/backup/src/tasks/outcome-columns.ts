import {
  failureMessageLengthMax,
  type Outcome,
  type ProofResult,
  taskFailures,
} from '@palisade/agent-protocol'
import { singleLine } from '../single-line.ts'
import type { TaskRow } from '../tables.ts'
import { servedFormat } from './task.ts'
import { restoreOf } from './task-record.ts'

const codeLengthMax = 100
const reasonLengthMax = 1000

/** What an outcome changes in the row of its task; see `Tasks.finish`. */
export function outcomeColumns(row: TaskRow, outcome: Outcome): Partial<TaskRow> {
  if (outcome.state === 'CANCELED') return { state: 'CANCELED' }
  const columns = row.kind === 'restore' ? madeColumns(outcome) : {}
  if (outcome.state === 'ERROR') {
    const { code, message } = outcome
    return {
      ...columns,
      state: 'ERROR',
      error_code: singleLine(code, codeLengthMax),
      error_message: singleLine(message, failureMessageLengthMax),
    }
  }
  if (row.kind === 'backup' && row.revision_id === null) {
    const error_message = 'The agent reported success, but has committed no revision.'
    return { state: 'ERROR', error_code: 'InternalError', error_message }
  }
  if (row.kind === 'restore' && restoreOf(row).request.machine?.make.proof && !outcome.proof) {
    const error_message = 'The agent is too old to prove anything: it has made the machine, and left it.'
    return { ...columns, state: 'ERROR', error_code: taskFailures.internal, error_message }
  }
  // Of disks that were served, the bytes are those that somebody read.
  const isServed = row.kind === 'restore' && restoreOf(row).request.diskFormat === servedFormat
  return { ...columns, state: 'SUCCESS', ...(isServed ? {} : { bytes_done: row.bytes_total }) }
}

/** What a restore says is there when it has ended. */
function madeColumns(outcome: Exclude<Outcome, { state: 'CANCELED' }>): Partial<TaskRow> {
  const { files = [], machine } = outcome
  const proof = outcome.state === 'SUCCESS' ? outcome.proof : undefined
  return {
    files: JSON.stringify(files),
    machine: machine ? JSON.stringify(machine) : null,
    proof: proof ? JSON.stringify(cleanProof(proof)) : null,
  }
}

function cleanProof({ reason, ...proof }: ProofResult): ProofResult {
  return { ...proof, reason: singleLine(reason, reasonLengthMax) }
}
