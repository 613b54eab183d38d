/** A failure and what caused it, in one line without a stack trace. */
export function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const text = error.message === '' ? (codeOf(error) ?? error.name) : error.message
  const cause = error.cause === undefined ? '' : describe(error.cause)
  return text.endsWith(cause) ? text : `${text}: ${cause}`
}

/** The code by which Node and undici tell failures apart, such as ECONNREFUSED. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

/** What was thrown, as a failure. */
export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
