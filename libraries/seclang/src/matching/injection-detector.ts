/**
 * Finds injections by the grammar of a language. The operators `@detectSQLi` and `@detectXSS` ask it; libinjection is one (the entry point
 * `@palisade/seclang/libinjection`).
 *
 * A detector answers at once and the same for the same value, always: rule sets remember its answers. It may be shared by any number
 * of rule sets.
 */
export interface InjectionDetector {
  /**
   * Why it cannot work here, as the end of a sentence; undefined where it can. It is asked once for each rule, while rules are loaded: the
   * rules that need the detector are then inactive for this reason, and neither method is called.
   */
  readonly unavailable?: string | undefined
  /**
   * @param value a byte string
   * @returns the fingerprint of the injection of SQL, which `capture` stores in TX:0; undefined where there is none
   */
  detectSqli(value: string): string | undefined
  /**
   * @param value a byte string
   * @returns whether it injects scripts into HTML
   */
  detectXss(value: string): boolean
}
