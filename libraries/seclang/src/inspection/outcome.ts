import type { Phase } from './phase.ts'

/** A rule that matched one target, as logs want it. A rule that matched several targets gives several. */
export interface RuleMatch {
  readonly ruleId: number
  readonly phase: Phase
  /** Where the rule stands. */
  readonly file: string
  readonly line: number
  /** `msg`, macros expanded. */
  readonly message: string
  /** `logdata`, macros expanded. */
  readonly data: string
  /** 0 (emergency) to 7 (debug); undefined when the rule has none. */
  readonly severity: number | undefined
  /** Macros expanded. */
  readonly tags: readonly string[]
  /** `ver` and `rev`. */
  readonly version: string
  readonly revision: string
  /** The target as MATCHED_VAR_NAME has it, and its value after the transformations; empty for a SecAction. */
  readonly targetName: string
  readonly targetValue: string
  /** The value before the transformations. */
  readonly sourceValue: string
  /** Whether the rule wants it in the error log, and in the audit log. */
  readonly isLogged: boolean
  readonly isAuditLogged: boolean
  /** Whether the rule would interrupt (it may not, in detection only). */
  readonly isDisruptive: boolean
}

/** How far `allow` lets a transaction off: this phase, the phases of the request, or all but the last. */
export type Allowance = 'phase' | 'request' | 'transaction'

/** Why a transaction must not go on, and what its client is to be told. */
export interface Interruption {
  /**
   * `deny` answers with `status`, `drop` closes the connection, `redirect` sends the client to `location`.
   */
  readonly action: 'deny' | 'drop' | 'redirect'
  readonly status: number
  readonly location?: string
  /** Undefined when it was a limit of the settings and no rule. */
  readonly ruleId: number | undefined
  readonly phase: Phase
  /** What the rule says, or which limit it was. */
  readonly message: string
}
