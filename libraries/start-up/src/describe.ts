import { systemCode } from '@palisade/private-files'

/** An error and what caused it, in one line without a stack trace; an error that says nothing has its code or its name. */
export function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const text = error.message === '' ? (systemCode(error) ?? error.name) : error.message
  const cause = error.cause === undefined ? '' : describe(error.cause)
  return text.endsWith(cause) ? text : `${text}: ${cause}`
}
