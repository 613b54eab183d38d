/** What was thrown, as a failure. */
export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
