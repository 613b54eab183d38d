import { type StoredRequest, storedTrafficMax } from '@palisade/proxy-protocol'
import { hasBody, headersOf } from '../exchange/client-message.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { headerValue } from '../exchange/headers.ts'
import { Masking } from '../logs/masking.ts'
import { namesSecret } from '../logs/secret-names.ts'
import { maskedBody } from './masked-body.ts'
import { maskedForm } from './masked-form.ts'

/** Of its headers and its address as much is kept as fits in here, in characters; larger requests are not. */
const headCharactersMax = 16 * 1024

/** What masks requests that are kept: each secret becomes one of the same form. */
export function formMasking(names: readonly string[]): Masking {
  return new Masking(names, (secret) => maskedForm(secret))
}

/**
 * A request as it came, with its secrets masked.
 *
 * @param masking one of {@link formMasking}
 * @returns undefined for one that is too large, or whose body nobody can mask
 */
export function maskedRequest(exchange: Exchange, masking: Masking): StoredRequest | undefined {
  const { id, request, runtime, judgedBody, startedAt, clientAddress, isSecure } = exchange
  const bytesMax = Math.min(runtime.service.storedTraffic?.bodyBytesMax ?? 0, storedTrafficMax.bodyBytes)
  const { method = '', url: target = '/', httpVersion } = request
  const original = headersOf(request)
  const size = original.reduce((sum, text) => sum + text.length, target.length)
  // What goes on without having been judged whole would be judged otherwise the next time.
  const isUnread = judgedBody === undefined && hasBody(request) && exchange.sentAt !== undefined
  if (size > headCharactersMax || isUnread || (judgedBody?.length ?? 0) > bytesMax) return undefined
  const contentType = headerValue(original, 'content-type') ?? ''
  const body = judgedBody && maskedBody(judgedBody.toString('latin1'), contentType, masking)
  if (judgedBody !== undefined && body === undefined) return undefined
  return {
    id,
    service: runtime.service.name,
    time: startedAt,
    clientAddress,
    isSecure,
    method,
    target: masking.address(target),
    httpVersion,
    headers: maskedHeaders(original, masking),
    ...(body === undefined ? {} : { body }),
    isRefused: isRefused(exchange),
  }
}

/** Whether it was refused for what was found in it, or would have been in Active mode. */
export function isRefused({ violations, interruption, transaction, mode }: Exchange): boolean {
  return (
    interruption !== undefined ||
    violations.some(
      ({ action = 'DENY', attack }) =>
        action !== 'LOG' || (mode === 'passive' && attack !== 'second-opinion'),
    ) ||
    transaction?.matches.some(({ isDisruptive }) => isDisruptive) === true
  )
}

function maskedHeaders(headers: readonly string[], masking: Masking): readonly string[] {
  return headers.map((text, index) =>
    index % 2 === 0 ? text : maskedHeader(headers[index - 1] ?? '', text, masking),
  )
}

function maskedHeader(name: string, value: string, masking: Masking): string {
  if (/cookie2?$/i.test(name)) return value.replace(/[^;]+/g, maskedCookie)
  if (/authorization$/i.test(name))
    return value.replace(/^(\s*[\w-]+ )?(.*)$/s, (_, scheme = '', secret = '') => scheme + maskedForm(secret))
  return namesSecret(name) || masking.masks(name) ? maskedForm(value) : masking.address(value)
}

/** One that has no name is all value. */
function maskedCookie(cookie: string): string {
  const start = cookie.indexOf('=') + 1
  return cookie.slice(0, start) + maskedForm(cookie.slice(start))
}
