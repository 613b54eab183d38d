import { headerValue, withoutHeader } from '../exchange/headers.ts'
import { isPartOfBytes, mediaTypeOf, ofParts } from '../exchange/response-head.ts'
import type { ServerAnswer } from '../servers/server-connections.ts'
import { looksAtAnswers, looksAtBody } from './inspection.ts'
import type { RequestContext } from './request-context.ts'

/** What asks for parts of a body (RFC 9110, section 14); the last is an older name, which servers as old as Apache 2.2 take. */
const rangeHeaders = ['range', 'if-range', 'request-range']

/** Why a request was ended: its server has sent a part of what has to be seen whole. */
export class PartOfAnswer extends Error {
  constructor() {
    super('the server has sent a part of what has to be seen whole')
  }
}

/**
 * Whether an answer is a part of a text at which rules or filters look: cut in two, nothing in it would be found. Who asks for parts of
 * films and archives gets them.
 */
export function mustBeWhole(context: RequestContext, { status, headers }: ServerAnswer): boolean {
  if (!isPartOfBytes({ status, headers }) || !looksAtAnswers(context)) return false
  return ofParts.test(mediaTypeOf({ headers }).type) || looksAtBody(context, headers)
}

/** The headers of a request for the whole. */
export function withoutRanges(headers: readonly string[]): readonly string[] {
  return rangeHeaders.reduce(
    (left, name) => (headerValue(left, name) === undefined ? left : withoutHeader(left, name)),
    headers,
  )
}
