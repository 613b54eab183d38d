import type { SnapshotPlace } from './policy.ts'

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
