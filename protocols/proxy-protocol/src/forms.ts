import type { SnapshotKey } from './rewriting.ts'

/** How the forms and links of pages are sealed, so that they come back from whom they were shown to, as they were. */
export interface SnapshotForms {
  /** The first seals, all open. Never empty. */
  readonly keys: readonly SnapshotKey[]
  /** The field that forms get, and the parameter that links get. */
  readonly parameter: string
  /** For how long a form can be sent after it was shown. */
  readonly validitySeconds: number
}
