/**
 * Why a request was not served, in words that every service shares; each puts them into its own envelope.
 */
export const statusOfRefusal = {
  'bad-request': 400,
  'malformed-json': 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  'method-not-allowed': 405,
  'request-timeout': 408,
  conflict: 409,
  'precondition-failed': 412,
  'too-large': 413,
  'unsupported-media-type': 415,
  'precondition-required': 428,
  'too-many-requests': 429,
  'headers-too-large': 431,
  internal: 500,
  unavailable: 503,
} as const

/** Why a request is refused; the status belongs to it. */
export type RefusalCode = keyof typeof statusOfRefusal

/** What a refused caller is told. */
export interface Refusal {
  readonly code: RefusalCode
  /** One sentence for the caller, without secrets: what was wrong and what was expected. */
  readonly message: string
  /** The member or parameter at fault, where there is one. */
  readonly field?: string
  /** Further response headers, such as WWW-Authenticate, Allow or Retry-After. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Thrown wherever a request turns out not to be servable; the edge answers it. */
export class RequestRefused extends Error implements Refusal {
  readonly code: RefusalCode
  readonly field?: string
  readonly headers?: Readonly<Record<string, string>>

  constructor(
    code: RefusalCode,
    message: string,
    more: { field?: string; headers?: Record<string, string> } = {},
  ) {
    super(message)
    this.name = 'RequestRefused'
    this.code = code
    if (more.field !== undefined) this.field = more.field
    if (more.headers !== undefined) this.headers = more.headers
  }
}

/** @param waitMs how long it takes until a call would be served again */
export function tooManyRequests(reason: string, waitMs: number): RequestRefused {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000))
  return new RequestRefused('too-many-requests', reason, { headers: { 'retry-after': String(seconds) } })
}

/** How one service words a refusal: the reply, except for the status that belongs to the code. */
export type ErrorEnvelope = (refusal: Refusal) => {
  readonly body: unknown
  /** application/json when left out. */
  readonly contentType?: string
  /** The service's own status, where it differs from {@link statusOfRefusal}. */
  readonly status?: number
}
