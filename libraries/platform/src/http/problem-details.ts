import { Type } from 'typebox'
import { type ErrorEnvelope, statusOfRefusal } from '../refusal.ts'

const titles = {
  'bad-request': 'Bad Request',
  'malformed-json': 'Bad Request',
  unauthenticated: 'Unauthorized',
  forbidden: 'Forbidden',
  'not-found': 'Not Found',
  'method-not-allowed': 'Method Not Allowed',
  'request-timeout': 'Request Timeout',
  conflict: 'Conflict',
  'precondition-failed': 'Precondition Failed',
  'too-large': 'Content Too Large',
  'unsupported-media-type': 'Unsupported Media Type',
  'precondition-required': 'Precondition Required',
  'too-many-requests': 'Too Many Requests',
  'headers-too-large': 'Request Header Fields Too Large',
  internal: 'Internal Server Error',
  unavailable: 'Service Unavailable',
} as const satisfies Record<keyof typeof statusOfRefusal, string>

/** The body of a problem (RFC 9457), as OpenAPI documents show it. */
export const ProblemDetails = Type.Object(
  {
    type: Type.String({ format: 'uri-reference' }),
    title: Type.String(),
    status: Type.Integer({ description: 'HTTP status code' }),
    detail: Type.String(),
    parameter: Type.Optional(
      Type.String({ description: 'the parameter or the member of the body that is at fault' }),
    ),
  },
  { title: 'ProblemDetails' },
)

/** Errors as problem details (RFC 9457), with the parameter or member at fault where there is one. */
export const problemDetails: ErrorEnvelope = ({ code, message, field }) => ({
  contentType: 'application/problem+json',
  body: {
    type: 'about:blank',
    title: titles[code],
    status: statusOfRefusal[code],
    detail: message,
    ...(field === undefined ? {} : { parameter: field }),
  },
})
