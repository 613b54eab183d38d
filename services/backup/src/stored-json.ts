/** A compiled schema, as far as it is needed to read what was stored. */
interface Checker<T> {
  Check(value: unknown): value is T
}

/** Reads JSON that this service wrote into its own tables or the vault; anything else there is damage. */
export function parseStored<T>(checker: Checker<T>, text: string): T {
  const value: unknown = JSON.parse(text)
  if (checker.Check(value)) return value
  throw new Error('a stored document does not have the form in which it was written')
}
