import type { FastifyError, FastifyRequest } from 'fastify'
import { StoreUnavailable } from '../database/store-unavailable.ts'
import { type Refusal, type RefusalCode, RequestRefused } from '../refusal.ts'
import { refusalOfValidation } from './refusal-of-validation.ts'

/** What the HTTP framework reports by itself, before any route runs. */
const refusalOfCode: Readonly<Record<string, RefusalCode>> = {
  FST_ERR_BAD_URL: 'bad-request',
  FST_ERR_ASYNC_CONSTRAINT: 'bad-request',
  FST_ERR_MAX_PARAM_LENGTH: 'not-found',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported-media-type',
  FST_ERR_CTP_BODY_TOO_LARGE: 'too-large',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'bad-request',
}

const messageOfCode: Partial<Record<RefusalCode, string>> = {
  'bad-request': 'The request could not be understood.',
  'not-found': 'Nothing is found at this address.',
  'unsupported-media-type': 'The body must be JSON, sent with Content-Type: application/json.',
  'too-large': 'The body is larger than this operation takes.',
}

const internal: Refusal = { code: 'internal', message: 'An internal error occurred. It has been logged.' }

/** The caller may send the same request again: nothing of it was done, or it can be told by reading. */
const storeUnavailable: Refusal = {
  code: 'unavailable',
  message: 'The database cannot be reached at the moment. Try again in a few seconds.',
  headers: { 'retry-after': '5' },
}

/** Nobody hears it: who sent the request has gone away. */
const cutOff: Refusal = { code: 'bad-request', message: 'The body ended before it was complete.' }

/**
 * The refusal that an error of a request amounts to. Whatever is not known to be the caller's fault is `internal`: its
 * text goes to the log only.
 */
export function refusalOfError(error: unknown, { raw }: Pick<FastifyRequest, 'raw'>): Refusal {
  if (error instanceof RequestRefused) return error
  if (error === raw.errored) return cutOff
  if (error instanceof StoreUnavailable) return storeUnavailable
  if (!(error instanceof Error)) return internal
  const { code, validation = [] } = error as Partial<FastifyError>
  const [first] = validation
  if (first !== undefined) return refusalOfValidation(first, validation)
  const refusalCode = code === undefined ? undefined : refusalOfCode[code]
  return refusalCode === undefined
    ? internal
    : { code: refusalCode, message: messageOfCode[refusalCode] ?? error.message }
}
