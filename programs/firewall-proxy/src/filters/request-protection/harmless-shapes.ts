/** What values look like that can be no attack; made to be told from the whole value, in time that its length bounds. */
export type HarmlessShape = 'number' | 'numbers' | 'hex' | 'uuid' | 'date' | 'email' | 'code' | 'token'

/**
 * Whole values, byte strings. Rules about attacks (930000 to 943999) find the same in every regression case of the Core Rule Set when
 * they do not look at such values, at any paranoia level. Those about Java (944000 to 944999) have to look, since they know Base64.
 */
export const harmlessShapes: Readonly<Record<HarmlessShape, RegExp>> = {
  /**
   * Longer ones, and those with zeros before them, may be meant to make a server stumble: rule 942220 knows `2147483648` and
   * `0000012345`.
   */
  number: /^(?:0|[1-9]\d{0,8})$/,
  numbers: /^(?:0|[1-9]\d{0,8})(?:[,.:;_-](?:0|[1-9]\d{0,8})){1,30}$/,
  /** Of the usual lengths of digests, without a prefix, and with a letter among the digits. */
  hex: /^(?=\d{0,63}[a-f])(?!\d{1,63}e\d{1,63}$)(?:[\da-f]{8}|[\da-f]{16}|[\da-f]{32}|[\da-f]{40}|[\da-f]{64})$/,
  uuid: /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i,
  date: /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:[T ][012]\d:[0-5]\d(?::[0-5]\d(?:\.\d{1,6})?)?(?:Z|[+-][01]\d:?[0-5]\d)?)?$/,
  email:
    /^[a-z][a-z\d]{0,31}(?:[._-][a-z\d]{1,32}){0,3}@(?:[a-z\d](?:[a-z\d-]{0,40}[a-z\d])?\.){1,4}[a-z]{2,12}$/i,
  /** Letters and then digits, such as `SKU10023`: no word of a language has that form. */
  code: /^[A-Z]{2,6}-?\d{3,9}$/,
  /** Base64 for URLs, of random bytes: with capitals, small letters and digits; no serialized object of Java. */
  token: /^(?!rO0AB)(?=[\w-]{0,255}[A-Z])(?=[\w-]{0,255}[a-z])(?=[\w-]{0,255}\d)[A-Za-z\d][\w-]{20,255}$/,
}
