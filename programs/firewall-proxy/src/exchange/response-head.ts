import type { ResponseHead } from './answer.ts'
import type { Exchange } from './exchange.ts'
import { headerValue, headerValues } from './headers.ts'

/** The head of an answer, as a server gave it or as the client will get it. */
interface AnswerHead {
  readonly status: number
  /** Names and values in turn. */
  readonly headers: readonly string[]
}

/** Headers about a body, byte by byte, or about parts of it; untrue as soon as the body is changed on its way. */
const aboutBytes = new Set(['content-md5', 'digest', 'content-digest', 'repr-digest', 'accept-ranges'])

/** Several parts in one body; the second is what those get who ask by `Request-Range`. */
export const ofParts = /^multipart\/(?:x-)?byteranges$/

const texts =
  /^(?:$|text\/|application\/(?:[\w.+-]*(?:json|xml|javascript|ecmascript)|x-www-form-urlencoded)|[^/]+\/[^/]*\+(?:json|xml)$)/

/** Pictures, sound and what packs files: these are never text. */
const neverTexts =
  /^(?:image|audio|video|font|model)\/|^application\/(?:pdf|wasm|zip|gzip|zstd|java-archive|msword|vnd\.(?:openxmlformats-|ms-|oasis\.opendocument|rar|android\.)[\w.+-]*|x-(?:7z-compressed|bzip2?|gzip|iso9660-image|rar-compressed|tar|xz|zip-compressed|msdownload))$/

/** Names one of the codings that IANA has registered; `identity` is none. */
const coding =
  /(?:^|[,;\s])(?:aes128gcm|br|dcb|dcz|deflate|exi|(?:x-)?(?:compress|gzip)|pack200-gzip|zstd)(?:[,;\s]|$)/i

/** What `Content-Type` says, in lower case; empty where it says nothing. */
export interface MediaType {
  readonly type: string
  readonly charset: string
}

const namesType = /^\s*[\w!#$&^.+-]+\/[\w!#$&^.+-]+\s*(?:;|$)/

/** Of several types, also in one header, the last counts, as it does for browsers (WHATWG, Fetch, "extract a MIME type"). */
export function mediaTypeOf({ headers }: { readonly headers: readonly string[] }): MediaType {
  const contentTypes = headerValues(headers, 'content-type').flatMap((value) => value.split(','))
  const [type = '', ...parameters] = (contentTypes.findLast((one) => namesType.test(one)) ?? '')
    .toLowerCase()
    .split(';')
  const [, charset = ''] = /(?:^|;)\s*charset\s*=\s*"?([^\s;"]*)/.exec(parameters.join(';')) ?? []
  return { type: type.trim(), charset }
}

/** Whether people and programs read what is of this type, which is empty where none is told; images and archives are left alone. */
export function isText(type: string): boolean {
  return texts.test(type)
}

/** Whether what is of this type can be text, although it is perhaps not called that. */
export function mayBeText(type: string): boolean {
  return isText(type) || !neverTexts.test(type)
}

/** Whether an answer has a whole body, and nothing was done to it: it can be read and changed. */
export function hasReadableBody(exchange: Exchange, head: ResponseHead): boolean {
  return mayHaveBody(exchange, head) && !isPartOfBytes(head) && isIdentity(head.headers)
}

/** Whether an answer with this status has a body, which may be empty (RFC 9110, section 6.4.1). */
export function mayHaveBody({ request }: Exchange, { status }: Pick<AnswerHead, 'status'>): boolean {
  return request.method !== 'HEAD' && ![204, 205, 304].includes(status)
}

/** Whether an answer is some of the bytes of a body. Parts that are counted otherwise, such as items of a list, are wholes of their own. */
export function isPartOfBytes({ status, headers }: AnswerHead): boolean {
  if (status !== 206) return false
  return (
    /^\s*bytes\b/i.test(headerValue(headers, 'content-range') ?? '') ||
    ofParts.test(mediaTypeOf({ headers }).type)
  )
}

/**
 * Whether a body was not compressed. Browsers show what names no coding, such as the `none` and `utf-8` of some applications, as it is.
 *
 * @param headers names and values in turn
 */
export function isIdentity(headers: readonly string[]): boolean {
  if (headerValue(headers, 'content-encoding') === undefined) return true
  return !headerValues(headers, 'content-encoding').some((value) => coding.test(value))
}

/** Trailers without those that are untrue of a body that was changed. @param trailers names and values in turn */
export function trailersOfChanged(trailers: readonly string[]): string[] {
  return trailers.filter((_, index) => !aboutBytes.has(trailers[index - (index % 2)]?.toLowerCase() ?? ''))
}

/** Makes the headers true of a body that is changed: an entity tag no longer speaks of the very bytes (RFC 9110, section 8.8.1). */
export function forgetBytes(head: Pick<ResponseHead, 'headers'>): void {
  changeHeaders(head, (name, value) => {
    if (aboutBytes.has(name)) return undefined
    return name === 'etag' && value.startsWith('"') ? `W/${value}` : value
  })
}

/**
 * Puts other values in the place of those of headers.
 *
 * @param change told the name in lower case and the value; undefined takes the header out
 */
export function changeHeaders(
  head: Pick<ResponseHead, 'headers'>,
  change: (name: string, value: string) => string | undefined,
): void {
  const headers: string[] = []
  for (let index = 0; index + 1 < head.headers.length; index += 2) {
    const [name = '', value = ''] = [head.headers[index], head.headers[index + 1]]
    const changed = change(name.toLowerCase(), value)
    if (changed !== undefined) headers.push(name, changed)
  }
  head.headers = headers
}

/** Adds a name to `Vary`, unless it is there. */
export function addVary(head: ResponseHead, name: string): void {
  const present = headerValue(head.headers, 'vary')
  if (present === undefined) {
    head.headers.push('Vary', name)
    return
  }
  const names = present.split(',').map((one) => one.trim().toLowerCase())
  if (names.includes('*') || names.includes(name.toLowerCase())) return
  changeHeaders(head, (lower, value) => (lower === 'vary' && value === present ? `${value}, ${name}` : value))
}
