import { type ErrorEnvelope, type Refusal, statusOfRefusal } from '@palisade/platform'
import type { ConfigurationRefused, Failure } from '../failure.ts'

const statusOfFailure = {
  'not-found': 404,
  'not-acceptable': 406,
  'in-use': 400,
  'factory-object': 400,
  'changed-meanwhile': 412,
  'has-to-stay': 400,
  'duplicate-certificate': 400,
} as const satisfies Record<Failure['code'], number>

/** Where this API's status differs from the platform's: a body that is no JSON is an unsupported type here. */
const ownStatus: Partial<Record<Refusal['code'], number>> = { 'malformed-json': 415 }

/** The words that the API's documentation has for a refusal; the particular reason follows them. */
const documentedWords: Partial<Record<Refusal['code'], string>> = {
  'malformed-json': 'Invalid JSON data specified.',
  'unsupported-media-type': 'Invalid JSON data specified.',
  unauthenticated: 'Invalid Credentials.',
}

interface ErrorReply {
  readonly status: number
  readonly body: object
}

/**
 * The body of every refusal: clients of different ages look for `msg`, for `error` or for `errors`, and those who
 * were authenticated for `token`.
 */
function errorReply(status: number, type: string, msg: string, token: string | undefined): ErrorReply {
  const error = { status: String(status), type, msg }
  return { status, body: { msg, error, errors: error, ...(token === undefined ? {} : { token }) } }
}

/** The firewall's words for what the platform refuses. */
export function envelopeWith(token: string | undefined): ErrorEnvelope {
  return ({ code, message }) => {
    const words = [documentedWords[code], message].filter((text) => text !== undefined).join(' ')
    return errorReply(ownStatus[code] ?? statusOfRefusal[code], code, words, token)
  }
}

/** The firewall's words for a request that its configuration did not allow. */
export function failureReply(
  { failure, message }: ConfigurationRefused,
  token: string | undefined,
): ErrorReply {
  return errorReply(statusOfFailure[failure.code], failure.code, message, token)
}
