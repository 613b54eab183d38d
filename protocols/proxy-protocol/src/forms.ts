import type { SnapshotPattern } from './policy.ts'
import type { SnapshotKey } from './rewriting.ts'
import type { SnapshotFormSpamForm, SnapshotFormSpamSettings } from './settings.generated.ts'

/** How the forms and links of pages are sealed, so that they come back from whom they were shown to, as they were. */
export interface SnapshotForms {
  /** The first seals, all open. Never empty. */
  readonly keys: readonly SnapshotKey[]
  /** The field that forms get, and the parameter that links get. */
  readonly parameter: string
  /** For how long a form can be sent after it was shown. */
  readonly validitySeconds: number
  /** The field that people do not see; absent where forms get none. */
  readonly honeypot?: string
}

/** How programs are kept from filling in forms. */
export interface SnapshotFormSpam extends SnapshotFormSpamSettings {
  readonly forms: readonly SnapshotListedForm[]
}

/** A form that programs are kept from. */
export interface SnapshotListedForm extends SnapshotFormSpamForm {
  readonly name: string
}

/** Which parameters are searched for links and words of advertisers. */
export interface SnapshotCommentSpam {
  /** Names; `*` stands for any characters. Never empty. */
  readonly parameters: readonly string[]
  readonly patterns: readonly SnapshotPattern[]
}
