import { asTaskFailure, type FailureCode, TaskFailure } from '../failure.ts'
import { BeginAnew } from '../sessions/begin-anew.ts'

/** An error in the form in which it passes from one thread to another. */
export interface WireError {
  readonly code: FailureCode | 'begin-anew'
  readonly message: string
  readonly stack: string | undefined
}

export function toWire(error: unknown): WireError {
  if (error instanceof BeginAnew) return { code: 'begin-anew', message: error.message, stack: error.stack }
  const { code, message, cause, stack } = asTaskFailure(error)
  return { code, message, stack: cause instanceof Error ? cause.stack : stack }
}

export function fromWire({ code, message, stack }: WireError): Error {
  const error = code === 'begin-anew' ? new BeginAnew(message) : new TaskFailure(code, message)
  if (stack !== undefined) error.stack = stack
  return error
}
