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

/**
 * A parameter in which people write: where rules that go by words refuse a request for what stands in it, they look a second time, at
 * what is not ordinary text. URL and parameter are byte strings.
 */
export interface SnapshotSecondOpinion extends SnapshotPlace {
  readonly name: string
  /** As `page.comment` in JSON; `*` stands for any characters. */
  readonly parameter: string
  /** The numbers of the rules that are left out for this parameter by exceptions. */
  readonly exceptedRules: readonly number[]
}
