/** The database cannot be reached, or does not answer: the same request may succeed later. */
export class StoreUnavailable extends Error {
  constructor(cause: unknown) {
    super(`The database cannot be reached: ${cause instanceof Error ? reasonOf(cause) : String(cause)}`, {
      cause,
    })
    this.name = 'StoreUnavailable'
  }
}

/** A connection that was tried at several addresses fails with a list of reasons and no words of its own. */
function reasonOf(cause: Error): string {
  if (cause instanceof AggregateError && cause.errors[0] instanceof Error) return cause.errors[0].message
  return cause.message
}
