/** What a page offered for the parameters of one name. */
export interface OfferedValues {
  /** Whether nobody but the page had a say in them: they stood in hidden fields, or in a link. */
  readonly isFixed: boolean
  /** Digests of the values; `any` where it could not be told which they were. */
  readonly digests: readonly string[] | 'any'
}

/** What a page said of a form or a link of its own, when it was shown to the client that now sends it. */
export interface FormSeal {
  /** In milliseconds since 1970. */
  readonly shownAt: number
  /** The paths that it leads to; empty where it says nothing about values. */
  readonly paths: readonly string[]
  /** By the name of the parameter, a byte string. */
  readonly values: ReadonlyMap<string, OfferedValues>
}

/** What a request brings that shows from which page it comes. */
export interface FormEvidence {
  /** The path that the client asked for. */
  readonly path: string
  /** Whether the browser says that a page of the application itself has sent it, which pages of others cannot forge. */
  readonly isFromOwnPage: boolean
  /** Those that are good; those of the body once it was read. */
  readonly seals: readonly FormSeal[]
  /** Whether one came that was good once. */
  readonly hasExpired: boolean
  /** Whether something stands in the field that people do not see. */
  readonly isHoneypotFilled: boolean
}
