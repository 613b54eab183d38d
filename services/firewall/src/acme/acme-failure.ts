/** Why an authority gave no certificate: one sentence or more for whoever asked, without secrets. */
export class AcmeFailure extends Error {
  override readonly name = 'AcmeFailure'
  /** The last part of the authority's `urn:ietf:params:acme:error:…` (RFC 8555, section 6.7); empty where it said nothing. */
  readonly type: string
  /** How long the authority wants to be left alone, in milliseconds. */
  readonly retryAfterMs: number | undefined
  /** Whether it was refused for a limit of how much may be asked for (RFC 8555, section 6.6). */
  readonly isRateLimit: boolean
  /** Whether the authority could not be asked at all, so that nothing is known of the request. */
  readonly isAway: boolean

  constructor(
    message: string,
    {
      type = '',
      retryAfterMs,
      isRateLimit = type === 'rateLimited',
      isAway = false,
      cause,
    }: {
      readonly type?: string
      readonly retryAfterMs?: number | undefined
      readonly isRateLimit?: boolean
      readonly isAway?: boolean
      readonly cause?: unknown
    } = {},
  ) {
    super(message, { cause })
    this.type = type
    this.retryAfterMs = retryAfterMs
    this.isRateLimit = isRateLimit
    this.isAway = isAway
  }
}
