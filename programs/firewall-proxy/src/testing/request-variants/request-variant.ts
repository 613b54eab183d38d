/** One way to send a value to an application. */
export interface RequestVariant {
  readonly name: string
  /** Path and query; `/` by default. */
  readonly target?: (value: string) => string
  readonly method?: string
  /** Names and values in turn, besides those that every client sends. */
  readonly headers?: readonly string[]
  readonly body?: (value: string) => string | Buffer
  readonly isChunked?: boolean
  /** Sent behind the body, in chunks. */
  readonly trailers?: (value: string) => Readonly<Record<string, string>>
  /** Whether clients send it in earnest: then a harmless value passes. Otherwise it is refused whatever is in it, or nobody minds. */
  readonly isOrdinary: boolean
  /** Why it is carried although the attack is in it; absent where it is refused. */
  readonly carriedSince?: string
}
/** A variant with a body of a content type, or of none. */
export const typed = (
  name: string,
  type: string | undefined,
  body: RequestVariant['body'],
  isOrdinary = true,
  more: Partial<RequestVariant> = {},
): RequestVariant => ({
  name,
  ...(type === undefined ? {} : { headers: ['Content-Type', type] }),
  ...(body === undefined ? {} : { body }),
  isOrdinary,
  ...more,
})
