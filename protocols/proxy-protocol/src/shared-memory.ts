/** How much proxies tell each other, and for how long it waits. */
export const sharedMemoryMax = {
  /** Changes in one message of a proxy, and in one answer to it. */
  changesOfMessage: 1_000,
  /** Changes that the management keeps for proxies that come later; the oldest are dropped. */
  changesForLatecomers: 10_000,
  /** How long an instance and a value are, in characters. */
  text: 64,
  /** How long the name of a collection is. */
  collection: 255,
} as const

/** The parts of a proxy's memory that it shares with the other proxies of the installation. */
export const sharedStorages = ['clients', 'logIns', 'logouts'] as const

/** A change of what is remembered of somebody: a text, or how often something happened. */
export interface SharedChange {
  readonly storage: (typeof sharedStorages)[number]
  /** A service, or those that share logins. */
  readonly collection: string
  /** What it is of, as a digest or a random id. */
  readonly instance: string
  /** The new text; absent where `difference` is there. */
  readonly value?: string
  readonly difference?: number
  /** In milliseconds since 1970. */
  readonly expiresAt: number
}

/** What one proxy remembers since its message before. */
export interface SharedMemoryMessage {
  /** Without blanks; the management divides long messages and puts a blank and a number behind it. Nobody counts it twice. */
  readonly id: string
  /** A random id of a run of the proxy, which does not hear its own messages then; proxies of older releases do not say. */
  readonly sender?: string
  readonly changes: readonly SharedChange[]
}

/** What other proxies have told. */
export interface SharedMemoryNews {
  readonly messages: readonly SharedMemoryMessage[]
  /** Where to go on: the `after` of the next request. */
  readonly next: string
}
