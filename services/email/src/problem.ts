import { type ErrorEnvelope, statusOfRefusal } from '@palisade/platform'
import { Type } from 'typebox'

const titles = {
  'bad-request': 'Bad Request',
  'malformed-json': 'Bad Request',
  unauthenticated: 'Unauthorized',
  forbidden: 'Forbidden',
  'not-found': 'Not Found',
  'method-not-allowed': 'Method Not Allowed',
  'request-timeout': 'Request Timeout',
  conflict: 'Conflict',
  'too-large': 'Content Too Large',
  'unsupported-media-type': 'Unsupported Media Type',
  'too-many-requests': 'Too Many Requests',
  'headers-too-large': 'Request Header Fields Too Large',
  internal: 'Internal Server Error',
  unavailable: 'Service Unavailable',
} as const satisfies Record<keyof typeof statusOfRefusal, string>

/** The bodies of the service's errors, as the OpenAPI document shows them. */
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

/** The email service's errors: problem details (RFC 9457), with the parameter at fault where there is one. */
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
