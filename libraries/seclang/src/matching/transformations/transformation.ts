/** A transformation of a rule (`t:name`), over byte strings: every byte one character U+0000–U+00FF. */
export interface Transformation {
  /** Lower-cased, as after `t:`. */
  readonly name: string
  /** Never throws: what cannot be decoded stays as it is, as in ModSecurity 2.9. */
  apply(value: string): string
  /**
   * The kinds of characters (see `featuresOf`) that a value must have for the transformation to change anything. When
   * `featureMask & featuresOf(value)` is 0, `apply(value)` is `value`.
   */
  readonly featureMask: number
  /** Present where it changes nothing but the case of A–Z and a–z, which literals do not see. */
  readonly changesOnlyCase?: true
}
