/**
 * What may be asked about a field, beside being shown:
 *
 * - `text`: equal, not equal, regular expressions
 * - `listed-text`: the same, and in or not in a list
 * - `choice`: in or not in a list of words, in any case
 * - `number`: a whole number; compared, in a range, in a list
 * - `time`: in a range of time
 * - `shown`: nothing; such fields share one JSON document in the store
 */
export type FieldClass = 'text' | 'listed-text' | 'choice' | 'number' | 'time' | 'shown'

/** One type of log, as data. Tables, filters, replies and the API's description are derived from it. */
export interface LogType {
  /** What the code calls it: "web-firewall". */
  readonly name: string
  /** The member `object` of replies: "Web Firewall Logs". */
  readonly title: string
  /** The address after the version, and after `logs/` for older clients: "web-firewall-logs". */
  readonly segment: string
  readonly description: string
  /** What an entry has, in the order in which it is shown: `id`, `time`, then what the type is about. */
  readonly fields: Readonly<Record<string, FieldClass>>
  /** The fields that are empty in every entry, and why: sentences without their first word. */
  readonly alwaysEmpty?: Readonly<Record<string, string>>
  /** Why nothing writes the log: a sentence, which replies tell. */
  readonly neverWritten?: string
  /**
   * The query parameters of `logs/{segment}` and the field that each has to equal. Two fields: the value is an
   * address and a port joined by a colon. `containedIn`: the field contains the value.
   */
  readonly olderParameters: Readonly<Record<string, OlderParameter>>
}

/** What a query parameter of an older version asks of entries: see `LogType.olderParameters`. */
export type OlderParameter =
  | string
  | readonly [address: string, port: string]
  | { readonly containedIn: string }
