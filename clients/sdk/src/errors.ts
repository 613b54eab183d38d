/** What a service said when it refused a call. `message` holds its own words. */
export class ApiError extends Error {
  override readonly name: string = 'ApiError'
  /** HTTP status code, 400 to 599. */
  readonly status: number
  /** The parameter or member of the body that is at fault, where the service names one. */
  readonly field: string | undefined
  /** Seconds after which the service wants to be asked again, where it says so (`Retry-After`). */
  readonly retryAfter: number | undefined

  constructor(
    status: number,
    message: string,
    details: { field?: string | undefined; retryAfter?: number | undefined } = {},
  ) {
    super(message)
    this.status = status
    this.field = details.field
    this.retryAfter = details.retryAfter
  }
}

/** 400 or 422: the request is wrong; `field` names what is. */
export class InvalidRequest extends ApiError {
  override readonly name = 'InvalidRequest'
}

/** 401: the credentials are wrong, have expired or were revoked. */
export class NotAuthenticated extends ApiError {
  override readonly name = 'NotAuthenticated'
}

/** 403: the caller may not do this. */
export class NotAllowed extends ApiError {
  override readonly name = 'NotAllowed'
}

/** 404: there is no such thing, or none that the caller may see. */
export class NotFound extends ApiError {
  override readonly name = 'NotFound'
}

/** 409, 412 or 428: something else has changed what was to be changed, or holds it. */
export class Conflict extends ApiError {
  override readonly name = 'Conflict'
}

/** 429: too many calls; `retryAfter` says when to call again. */
export class TooManyRequests extends ApiError {
  override readonly name = 'TooManyRequests'
}

/** 500 and above: the service could not do it. */
export class ServiceFailure extends ApiError {
  override readonly name = 'ServiceFailure'
}

/** No reply came: the server is unreachable, or its certificate is not trusted; `cause` says why. */
export class ConnectionFailed extends Error {
  override readonly name = 'ConnectionFailed'
}

/**
 * The reply of a call; what `fetch` throws when none comes is a {@link ConnectionFailed}.
 *
 * @throws ConnectionFailed
 */
export async function reachable(call: () => Promise<Response>): Promise<Response> {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    const cause = error.cause instanceof Error ? error.cause : error
    throw new ConnectionFailed(
      `The server cannot be reached: ${cause.message || Reflect.get(cause, 'code')}`,
      {
        cause,
      },
    )
  }
}

/**
 * A reply that does not refuse, unread.
 *
 * @throws ApiError when it refuses, with the service's own words
 */
export async function accepted(response: Response): Promise<Response> {
  if (response.ok) return response
  throw errorOf(response, await response.json().catch(() => undefined))
}

/**
 * The error of a reply that refuses.
 *
 * @param body the parsed body, in the envelope of any of the services
 */
export function errorOf(response: Response, body: unknown): ApiError {
  const { status } = response
  const Kind = kindOf(status)
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  return new Kind(status, messageOf(body) ?? `The server answered ${status} without saying why.`, {
    field: text(body, 'parameter'),
    retryAfter: Number.isFinite(seconds) ? seconds : undefined,
  })
}

function kindOf(status: number): typeof ApiError {
  if (status === 400 || status === 422) return InvalidRequest
  if (status === 401) return NotAuthenticated
  if (status === 403) return NotAllowed
  if (status === 404) return NotFound
  if (status === 409 || status === 412 || status === 428) return Conflict
  if (status === 429) return TooManyRequests
  return status >= 500 ? ServiceFailure : ApiError
}

/** Each service has its own envelope: problem details, `errors`, `statusDetails`, `msg`, that of OAuth, and `error` of the listeners. */
function messageOf(body: unknown): string | undefined {
  const errors = member(body, 'errors')
  if (Array.isArray(errors)) return errors.join('\n')
  return (
    text(body, 'detail') ??
    text(member(body, 'statusDetails'), 'Reason') ??
    text(body, 'msg') ??
    text(body, 'error_description') ??
    text(member(body, 'error'), 'message')
  )
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

function text(value: unknown, name: string): string | undefined {
  const memberValue = member(value, name)
  return typeof memberValue === 'string' ? memberValue : undefined
}
