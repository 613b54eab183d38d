import type { ActionKind, ActionState } from '../tables.ts'

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
