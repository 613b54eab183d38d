/** Between whom a transaction happens. */
export interface Connection {
  readonly clientAddress: string
  readonly clientPort: number
  readonly serverAddress: string
  readonly serverPort: number
}

/**
 * A request without its body, as it came: nothing decoded, nothing merged. All strings are byte strings (every byte one
 * character U+0000–U+00FF), which is how Node gives them.
 */
export interface RequestHead {
  readonly method: string
  /** The target of the request line: a path with query, an absolute URI, an authority or `*`. */
  readonly uri: string
  /** `HTTP/1.1` */
  readonly protocol: string
  /** Names and values in turn, in the order in which they came (as Node's `rawHeaders`). */
  readonly headers: readonly string[]
  /** The request line, when it was not made of method, uri and protocol with single blanks between. */
  readonly line?: string
}

/** A response without its body. */
export interface ResponseHead {
  readonly status: number
  /** `HTTP/1.1` */
  readonly protocol: string
  /** As in {@link RequestHead.headers}. */
  readonly headers: readonly string[]
}
