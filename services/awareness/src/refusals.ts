import { type ErrorEnvelope, type RefusalCode, RequestRefused, statusOfRefusal } from '@palisade/platform'

/** Reason phrases in the style of the specification's "NotAuthorized": without blanks. */
const statusMessages = {
  'bad-request': 'BadRequest',
  'malformed-json': 'BadRequest',
  unauthenticated: 'NotAuthorized',
  forbidden: 'Forbidden',
  'not-found': 'NotFound',
  'method-not-allowed': 'MethodNotAllowed',
  'request-timeout': 'RequestTimeout',
  conflict: 'Conflict',
  'precondition-failed': 'PreconditionFailed',
  'too-large': 'ContentTooLarge',
  'unsupported-media-type': 'UnsupportedMediaType',
  'precondition-required': 'PreconditionRequired',
  'too-many-requests': 'TooManyRequests',
  'headers-too-large': 'RequestHeaderFieldsTooLarge',
  internal: 'InternalServerError',
  unavailable: 'ServiceUnavailable',
} as const satisfies Record<RefusalCode, string>

/** A 401 with its own statusMessage, where the specification prints one. */
class AuthenticationRefused extends RequestRefused {
  readonly statusMessage: string

  constructor(statusMessage: string, reason: string, challenge: string) {
    super('unauthenticated', reason, { headers: { 'www-authenticate': challenge } })
    this.statusMessage = statusMessage
  }
}

/** Beside 401 (RFC 9110, section 15.5.2); with an error code where a token came (RFC 6750, section 3). */
const challenge = 'Bearer realm="awareness"'
const tokenChallenge = `${challenge}, error="invalid_token"`

/** The API key is unknown, or not for this user or this address. */
export function badApiKey(): RequestRefused {
  return new AuthenticationRefused('NotAuthorized', 'Authentication failure: Bad API Key.', challenge)
}

/** User and password do not belong together. Does not tell which of the two is wrong. */
export function badCredentials(): RequestRefused {
  const reason = 'Authentication failure: Please check the credentials and try again.'
  return new AuthenticationRefused('NotAuthenticated', reason, challenge)
}

/** 401 for a request without an access token. */
export function missingToken(): RequestRefused {
  const reason = 'An access token is required. Authenticate to get one.'
  return new AuthenticationRefused('NotAuthorized', reason, challenge)
}

/** 401 for a token that is unknown, has expired or was revoked. */
export function invalidToken(): RequestRefused {
  const reason = 'The access token is not valid or has expired. Authenticate again.'
  return new AuthenticationRefused('NotAuthorized', reason, tokenChallenge)
}

/** The token came from another address than the one that fetched it. Written with a blank, unlike the others. */
export function otherAddress(): RequestRefused {
  const reason = 'Requests must come from the same IP address that retrieved the access token.'
  return new AuthenticationRefused('Not Authorized', reason, tokenChallenge)
}

/** Tokens may come in one way only, or in several that agree (RFC 6750, section 2). */
export function ambiguousToken(): RequestRefused {
  return new RequestRefused('bad-request', 'The request carries more than one access token.', {
    field: 'access_token',
    headers: { 'www-authenticate': `${challenge}, error="invalid_request"` },
  })
}

/** 403 for a user without the permission that the operation needs. */
export function lacksPermission(permission: string): RequestRefused {
  return new RequestRefused('forbidden', `The user lacks the permission ${permission}.`, {
    headers: { 'www-authenticate': `${challenge}, error="insufficient_scope"` },
  })
}

/** The service's envelope around everything that went wrong. */
export const refusalEnvelope: ErrorEnvelope = (refusal) => ({
  body: {
    status: statusOfRefusal[refusal.code],
    statusMessage:
      refusal instanceof AuthenticationRefused ? refusal.statusMessage : statusMessages[refusal.code],
    statusDetails: { Reason: refusal.message },
    entity: 'unknown',
    jobid: 0,
    notifications: [],
    data: [],
  },
})
