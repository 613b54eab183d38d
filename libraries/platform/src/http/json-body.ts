import type { IncomingHttpHeaders } from 'node:http'
import { placeInJson } from '@palisade/start-up'
import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify'
import { parse } from 'secure-json-parse'
import { RequestRefused } from '../refusal.ts'
import { repeatedMember } from './repeated-member.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Longer names of members are cut where a refusal tells them. */
const toldNameLength = 100

/**
 * Reads a JSON body. Refused are bytes that are not UTF-8, text that is not JSON, members that would reach into the
 * prototypes of objects (`__proto__`, `constructor.prototype`), and objects that have a member twice.
 *
 * @throws RequestRefused malformed-json; bad-request for a member that comes again, with its name as the field
 */
export function parseJson(bytes: Buffer): unknown {
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    throw new RequestRefused('malformed-json', 'The body is not valid UTF-8.')
  }
  return parseJsonText(text)
}

/** Reads JSON that is text already, as {@link parseJson} does. */
export function parseJsonText(text: string): unknown {
  let value: unknown
  try {
    value = parse(text, null, { protoAction: 'error', constructorAction: 'error' })
  } catch (error) {
    throw new RequestRefused('malformed-json', `The body is not valid JSON${placeInJson(error as Error)}.`)
  }
  const repeated = repeatedMember(text)?.slice(0, toldNameLength).toWellFormed()
  if (repeated === undefined) return value
  throw new RequestRefused(
    'bad-request',
    `The member ${JSON.stringify(repeated)} is given more than once in one object.`,
    { field: repeated },
  )
}

/**
 * From here on, this scope takes JSON bodies and no others. An empty body counts as none, whatever type is said of it:
 * PowerShell and curl call a form what they send where they send nothing.
 */
export function acceptJsonOnly(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (_request: FastifyRequest, body: Buffer) => (body.length === 0 ? undefined : parseJson(body)),
  )
  scope.addContentTypeParser('*', async ({ headers, is404 }: FastifyRequest) => {
    if (is404 || isEmpty(headers)) return undefined
    throw new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE()
  })
}

/** Whether no body comes with these headers (RFC 9112, section 6.3). */
function isEmpty(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0
}
