/**
 * What was wished of a computer's backup sets and revisions. Most actions are over at once; a run waits for the agent (CREATED),
 * then for its backups (PENDING).
 */
export type ActionKind =
  | 'run-set'
  | 'toggle-set'
  | 'delete-set'
  | 'verify-revision'
  | 'compare-disk'
  | 'prove-set'

/**
 *     CREATED ──> PENDING ──> SUCCESS | WARNING | ERROR
 *        └───────────────────────────────────────────┘
 *
 * The four names of the reference (section 2.6), and SUCCESS. WARNING: some of it has failed.
 */
export type ActionState = 'CREATED' | 'PENDING' | 'ERROR' | 'WARNING' | 'SUCCESS'

/** An action as the store knows it. */
export interface Action {
  /** Counted from 1, over all computers. */
  readonly id: number
  readonly kind: ActionKind
  readonly setId: string | null
  readonly state: ActionState
  /** Why it failed, in a sentence; empty otherwise. */
  readonly reason: string
  /** Milliseconds since 1970. */
  readonly createdAt: number
  readonly cancelAt: number | null
  /** Null while it is unfinished. */
  readonly endedAt: number | null
}

/** How an action ended. */
export interface ActionOutcome {
  readonly state: 'SUCCESS' | 'WARNING' | 'ERROR'
  readonly reason: string
}
