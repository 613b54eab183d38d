import type { ServerClient } from './exchange.ts'
import type { RetryPolicy } from './retry-request.ts'

/** What requests to the server are made with. */
export interface RequestContext {
  readonly client: ServerClient
  /** How long they are repeated while the server cannot be reached. */
  readonly retryPolicy: RetryPolicy
  /** Ends them, and the waiting between them. */
  readonly signal: AbortSignal
}
