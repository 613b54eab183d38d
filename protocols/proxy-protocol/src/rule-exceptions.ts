import type { SnapshotPlace } from './policy.ts'

/** A rule that is left out for one part of requests for a URL: it neither blocks there nor counts. URL and target are byte strings. */
export interface SnapshotRuleException extends SnapshotPlace {
  readonly name: string
  /** The number of the rule. */
  readonly rule: number
  /**
   * What the rule does not look at, as rules name it: `ARGS:comment`, `REQUEST_BODY`; `*` in the part behind the colon stands for
   * any characters. Absent where the rule does not run at all for the URL.
   */
  readonly target?: string
}
