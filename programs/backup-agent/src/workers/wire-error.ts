import { asTaskFailure, type FailureCode, TaskFailure } from '../failure.ts'
import { BackupRestartNeeded } from '../sessions/backup-restart-needed.ts'

/** An error as it passes from one thread to another. */
export interface WireError {
  readonly code: FailureCode | 'backup-restart-needed'
  readonly message: string
  readonly stack: string | undefined
}

/** Of what was thrown keeps the code, message and stack; the cause does not reach the other thread. */
export function toWire(error: unknown): WireError {
  if (error instanceof BackupRestartNeeded)
    return { code: 'backup-restart-needed', message: error.message, stack: error.stack }
  const { code, message, cause, stack } = asTaskFailure(error)
  return { code, message, stack: cause instanceof Error ? cause.stack : stack }
}

/** The error again, as a BackupRestartNeeded or TaskFailure with the stack of the other thread. */
export function fromWire({ code, message, stack }: WireError): Error {
  const error =
    code === 'backup-restart-needed' ? new BackupRestartNeeded(message) : new TaskFailure(code, message)
  if (stack !== undefined) error.stack = stack
  return error
}
