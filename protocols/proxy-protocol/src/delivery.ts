/** Which answers are compressed for clients that can read them so. */
export interface SnapshotCompression {
  /** Media types as administrators write them: patterns with the slash in brackets, such as `text[/]html`. */
  readonly contentTypes: readonly string[]
  /** Whether those are compressed, too, that have other types or none. */
  readonly unknownTypes: boolean
  /** Smaller ones are sent as they are, in bytes. */
  readonly sizeMin: number
}

/** Which answers are kept for further clients. */
export interface SnapshotCaching {
  /** Without the dot, in lower case; `*` for every address. */
  readonly extensions: readonly string[]
  /** In bytes. */
  readonly sizeMin: number
  readonly sizeMax: number
  /** How long an answer is kept that does not say itself, in seconds. */
  readonly ageSeconds: number
  /** Whether errors are kept, too. */
  readonly keepsErrors: boolean
  /** Whether clients that want a fresh answer get a kept one. */
  readonly ignoresRequestHeaders: boolean
  /** Whether answers are kept whose server does not want that. */
  readonly ignoresResponseHeaders: boolean
}
