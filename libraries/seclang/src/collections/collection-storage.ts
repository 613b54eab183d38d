/** A variable of a stored collection. */
export interface StoredVariable {
  readonly value: string
  /** Milliseconds since 1970; from then on the variable is gone. */
  readonly expiresAt: number
  /** Present where a rule has said when; all others live as long as something of their collection is written. */
  readonly expiresByRule?: true
}

/** What a transaction did to a stored collection, in order. */
export type CollectionChange =
  | ({ readonly kind: 'set'; readonly key: string } & StoredVariable)
  /** Kept as a difference, so that transactions side by side both count. A sum below 0 is 0. */
  | { readonly kind: 'add'; readonly key: string; readonly difference: number; readonly expiresAt: number }
  /**
   * Counts in a window. Where there is none that lasts beyond `now`, one begins at 0 that ends at `expiresAt`; else the window keeps
   * its end. Both in milliseconds since 1970. A sum below 0 is 0. No rule does so: it is for those who count in a storage themselves.
   */
  | {
      readonly kind: 'count'
      readonly key: string
      readonly difference: number
      readonly now: number
      readonly expiresAt: number
    }
  | { readonly kind: 'unset'; readonly key: string }
  | { readonly kind: 'expire'; readonly key: string; readonly expiresAt: number }

/**
 * Keeps the collections IP, SESSION, USER, RESOURCE and GLOBAL between transactions. A transaction loads a collection when a
 * rule names it and applies all its changes once, when it finishes; what others changed in between it does not see.
 *
 * Both methods are synchronous and must be quick: they run while a request waits. Expired variables may be given; the
 * transaction leaves them out.
 */
export interface CollectionStorage {
  /**
   * @param collection in lower case: `ip`
   * @param instance which one: an address, a session id
   * @returns variables by lower-cased key; empty when nothing is known
   */
  load(collection: string, instance: string): ReadonlyMap<string, StoredVariable>
  apply(collection: string, instance: string, changes: readonly CollectionChange[]): void
}
