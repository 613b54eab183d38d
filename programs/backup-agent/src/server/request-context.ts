import type { ServerClient } from './exchange.ts'
import type { Patience } from './persist.ts'

/** What requests to the server are made with. */
export interface RequestContext {
  readonly client: ServerClient
  /** How long they are repeated while the server cannot be reached. */
  readonly patience: Patience
  /** Ends them, and the waiting between them. */
  readonly signal: AbortSignal
}
