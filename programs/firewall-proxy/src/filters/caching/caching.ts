import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { gzipSync } from 'node:zlib'
import type { SnapshotCaching, SnapshotService } from '@palisade/proxy-protocol'
import { pathOf, withoutQuery } from '../../exchange/address.ts'
import type { Answer, BodyFilter, ResponseHead } from '../../exchange/answer.ts'
import { hasBody, headersOf } from '../../exchange/client-message.ts'
import type { Exchange, ExchangeJudge } from '../../exchange/exchange.ts'
import { headerValue, headerValues, withoutHeader } from '../../exchange/headers.ts'
import { overridingMethods } from '../../exchange/overriding-methods.ts'
import { isSafeMethod } from '../../exchange/safe-methods.ts'
import { plainPath } from '../../paths/normal-path.ts'
import { isLoggedIn } from '../../servers/connection-login.ts'
import { settingsOf } from '../../servers/rule-settings.ts'
import { type CompressionDecision, compressionDecisions } from '../compression/compression.ts'
import type { Filter, FilterDescriptor } from '../filter.ts'
import { addressOf } from './cache-address.ts'
import { fitsExtension } from './fitting-type.ts'
import { directivesOf, freshSeconds } from './freshness.ts'
import { type StoredAnswer, StoredAnswers } from './stored-answers.ts'

/** All kept answers of one service together, in bytes. */
const sizeMax = 64 * 1024 * 1024

/** Larger ones are given as they are: compressing them would hold everybody up. */
const compressedSizeMax = 1024 * 1024

/** A request whose answer may be kept. */
interface CacheableRequest {
  readonly settings: SnapshotCaching
  readonly address: string
  readonly headers: readonly string[]
  /** In lower case; empty where the address has none. */
  readonly extension: string
  /** Whether a server may know who asks. */
  readonly isPersonal: boolean
}

/**
 * Gives clients answers that others got before. Requests are judged and rewritten first, in any case. What is kept is the answer
 * as it left all filters but compression; it is forgotten when the service is configured otherwise.
 */
export const caching: FilterDescriptor = {
  name: 'caching',
  stage: 'plain-request',
  isShared: true,
  make: cachingFilter,
}

function cachingFilter(service: SnapshotService): Filter | undefined {
  const settingsFor = settingsOf(service, 'caching', (settings) => settings)
  if (settingsFor === undefined) return undefined
  const answers = new StoredAnswers(sizeMax)
  const decisionFor = compressionDecisions(service)
  const requests = new WeakMap<Exchange, CacheableRequest>()
  return {
    onJudged: (exchange) => {
      const settings = settingsFor(exchange)
      const request = settings && cacheable(exchange, settings)
      if (request === undefined) return undefined
      requests.set(exchange, request)
      if (!request.settings.ignoresRequestHeaders && wantsFresh(request.headers)) return undefined
      const now = exchange.runtime.now()
      const answer = answers.find(
        request.address,
        (answer) => suits(answer, exchange.judge, request.headers),
        now,
      )
      if (answer === undefined) return undefined
      exchange.isFromCache = true
      const decision = decisionFor?.(exchange)
      return given(exchange, answer, now, (head) =>
        compressed(exchange, head, answer, { decision, answers, request }),
      )
    },
    onResponse: (exchange, head) => {
      if (isChange(exchange)) answers.forget(addressOf(exchange))
      // What a client got that is met more mildly than others is not for these.
      if (exchange.mode !== exchange.judge.mode || exchange.isAnswerPersonal) return undefined
      const request = requests.get(exchange)
      return request && keeping(exchange, head, request, answers)
    },
  }
}

/** Keeps an answer on its way, if it may be. */
function keeping(
  exchange: Exchange,
  head: ResponseHead,
  { settings, address, headers, extension, isPersonal }: CacheableRequest,
  answers: StoredAnswers,
): BodyFilter | undefined {
  if (!settings.ignoresRequestHeaders && directivesOf(headers).has('no-store')) return undefined
  const now = exchange.runtime.now()
  const isForOne = isPersonal || !fitsExtension(extension, headerValue(head.headers, 'content-type'))
  const fresh = freshSeconds(head, settings, { now, isForOne: head.status < 300 ? isForOne : isPersonal })
  if (fresh === undefined) return undefined
  // As it is now: what follows may still compress it.
  const answer = {
    status: head.status,
    message: head.message,
    headers: keptHeaders(head.headers),
    keptAt: now,
    freshUntil: now + fresh * 1000,
    judge: exchange.judge.name,
    dependsOn: dependencies(head, headers),
  }
  return new Keeping(settings, (body) => answers.keep(address, { ...answer, body }))
}

/** Collects a body while it passes, and keeps it once it is whole. */
class Keeping implements BodyFilter {
  readonly keepsLength = true
  readonly #settings: SnapshotCaching
  readonly #keep: (body: Buffer) => void
  #chunks: Buffer[] = []
  #size = 0

  constructor(settings: SnapshotCaching, keep: (body: Buffer) => void) {
    this.#settings = settings
    this.#keep = keep
  }

  transform(chunk: Buffer): Buffer {
    this.#size += chunk.length
    if (this.#size <= this.#settings.sizeMax) this.#chunks.push(chunk)
    else this.#chunks = []
    return chunk
  }

  flush(): Buffer {
    if (this.#size >= this.#settings.sizeMin && this.#size <= this.#settings.sizeMax)
      this.#keep(Buffer.concat(this.#chunks))
    this.#chunks = []
    return Buffer.alloc(0)
  }
}

/** @returns undefined for requests whose answers are neither kept nor looked for */
function cacheable(exchange: Exchange, settings: SnapshotCaching): CacheableRequest | undefined {
  const { extensions } = settings
  const { request, headers, target, upgrade, user } = exchange
  // Servers may be told who has logged in, and what they answer then is for that one alone.
  if (user !== undefined) return undefined
  // An application may answer as to another method, and others would get that for their GET.
  if (overridingMethods(headers).length > 0) return undefined
  if (request.method !== 'GET' || upgrade !== undefined || isDisguised(target)) return undefined
  // What is in a body is not a part of the address, and over HTTP/2 no header has to tell of it.
  if (hasBody(request)) return undefined
  if (['authorization', 'range'].some((name) => headerValues(headers, name).length > 0)) return undefined
  const [, extension = ''] = /\.([^./]+)$/.exec(withoutQuery(pathOf(target)).toLowerCase()) ?? []
  const isNamed = extension !== '' && extensions.includes(extension)
  if (!isNamed && !extensions.includes('*')) return undefined
  return {
    settings,
    address: addressOf(exchange),
    headers,
    extension,
    isPersonal: isPersonal(exchange),
  }
}

/**
 * Whether an application may take an address for another one than its extension says, as `/account;x.css`, `/account%3fx.css` or
 * `/x/..%2faccount`: then neither is its answer kept nor a kept one given.
 */
function isDisguised(target: string): boolean {
  const path = plainPath(target)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: some servers end a path at them
  return path === undefined || /[\x00-\x1f\x7f?#;%]/.test(path)
}

/** Names of headers by which clients say who they are, beside `Authorization`: `X-API-Key`, `X-Auth-Token`, `X-Session-Id`. */
const identifying = /^cookie$|api-?key|token|session|auth|secret|credential/i

/** Whether a server may know who asks: by a header, or by the certificate or an earlier login of the connection. */
function isPersonal({ headers, request }: Exchange): boolean {
  return (
    headers.some((name, index) => index % 2 === 0 && identifying.test(name)) ||
    hasCertificate(request.socket) ||
    isLoggedIn(request.socket)
  )
}

function hasCertificate(socket: Socket): boolean {
  return socket instanceof TLSSocket && Object.keys(socket.getPeerCertificate()).length > 0
}

/** Whether a request may have changed what its address gives (RFC 9111, section 4.4). */
function isChange({ request }: Exchange): boolean {
  return !isSafeMethod(request.method)
}

function wantsFresh(headers: readonly string[]): boolean {
  const directives = directivesOf(headers)
  if (directives.has('no-cache') || directives.has('no-store') || directives.get('max-age') === '0')
    return true
  return directives.size === 0 && headerValues(headers, 'pragma').some((value) => /no-cache/i.test(value))
}

/** On what headers of requests an answer depends, with their values in this one. */
function dependencies(head: ResponseHead, requestHeaders: readonly string[]): Map<string, string> {
  const names = headerValues(head.headers, 'vary').join(',').split(',')
  // Servers that compress do not always say that it depends on the request.
  if (headerValues(head.headers, 'content-encoding').length > 0) names.push('accept-encoding')
  return new Map(
    names
      .map((name) => name.trim().toLowerCase())
      .filter((name) => name !== '')
      .map((name) => [name, headerValues(requestHeaders, name).join(', ')]),
  )
}

function suits(
  { judge, dependsOn }: StoredAnswer,
  { name }: ExchangeJudge,
  headers: readonly string[],
): boolean {
  return (
    judge === name &&
    [...dependsOn].every(([name, value]) => headerValues(headers, name).join(', ') === value)
  )
}

/** Without those that say how the body comes. */
function keptHeaders(headers: readonly string[]): string[] {
  const framing = new Set(['content-length', 'age'])
  return headers.filter((_, index) => !framing.has(headers[index - (index % 2)]?.toLowerCase() ?? ''))
}

/** The kept answer as the client gets it: with status 304 when the copy that the client says it has is still current (RFC 9110, section 13). */
function given(
  exchange: Exchange,
  answer: StoredAnswer,
  now: number,
  bodyFor: (head: ResponseHead) => Buffer,
): Answer {
  const headers = [...answer.headers, 'Age', String(Math.floor((now - answer.keptAt) / 1000))]
  const head: ResponseHead = { status: answer.status, message: answer.message, headers }
  const body = bodyFor(head)
  const isKnown = answer.status === 200 && isStillTrue(headersOf(exchange.request), head.headers)
  if (isKnown) return { status: 304, headers: joined(head.headers), body: Buffer.alloc(0) }
  return { status: answer.status, headers: joined(head.headers), body }
}

function isStillTrue(request: readonly string[], answer: readonly string[]): boolean {
  const tags = headerValues(request, 'if-none-match').join(',')
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '')
  if (tags !== '') {
    const [tag] = headerValues(answer, 'etag')
    return (
      tags.trim() === '*' || (tag !== undefined && tags.split(',').some((one) => opaque(one) === opaque(tag)))
    )
  }
  const [since = '', modified = ''] = [
    headerValues(request, 'if-modified-since')[0],
    headerValues(answer, 'last-modified')[0],
  ]
  return Date.parse(modified) <= Date.parse(since)
}

/** The body as the client takes it; the head is made to say so. */
function compressed(
  exchange: Exchange,
  head: ResponseHead,
  answer: StoredAnswer,
  {
    decision,
    answers,
    request,
  }: { decision: CompressionDecision | undefined; answers: StoredAnswers; request: CacheableRequest },
): Buffer {
  if (decision === undefined || answer.body.length > compressedSizeMax) return answer.body
  head.headers.push('Content-Length', String(answer.body.length))
  const isCompressed = decision.isCompressed(exchange, head)
  head.headers = withoutHeader(head.headers, 'content-length')
  if (!isCompressed) return answer.body
  if (answer.compressed === undefined) {
    answer.compressed = gzipSync(answer.body)
    answers.grow(request.address, answer.compressed.length)
  }
  return answer.compressed
}

/** Headers by name; those of one name as one. */
function joined(headers: readonly string[]): Record<string, string> {
  const byName = new Map<string, readonly [name: string, value: string]>()
  for (let index = 0; index + 1 < headers.length; index += 2) {
    const [name = '', value = ''] = [headers[index], headers[index + 1]]
    const [first = name, before] = byName.get(name.toLowerCase()) ?? []
    byName.set(name.toLowerCase(), [first, before === undefined ? value : `${before}, ${value}`])
  }
  return Object.fromEntries(byName.values())
}
