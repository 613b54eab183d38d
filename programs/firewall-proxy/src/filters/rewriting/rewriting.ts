import type { SnapshotRewriting, SnapshotService, SnapshotTranslation } from '@palisade/proxy-protocol'
import { hostOf, pathOf, withoutPort } from '../../exchange/address.ts'
import type { BodyFilter, ResponseHead } from '../../exchange/answer.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import { withoutHeader } from '../../exchange/headers.ts'
import { changeHeaders, forgetBytes, hasReadableBody, mediaTypeOf } from '../../exchange/response-head.ts'
import { attributeOf, parseSetCookie, withAttribute, writtenSetCookie } from '../../exchange/set-cookie.ts'
import { bodyLinks, replaceHeaderLinks } from '../../html/answer-links.ts'
import { type Address, addressOf, urlTest } from '../../paths/url-test.ts'
import { hostTest } from '../../patterns/wildcard.ts'
import { BodyChain } from '../body-chain.ts'
import type { Filter, FilterDescriptor } from '../filter.ts'
import { RequestRewrites, ResponseRewrites } from './head-rewrites.ts'
import { OutsideLinks, secureHostTest } from './outside-links.ts'
import { TextReplacement } from './text-replacement.ts'
import { isHost, Translations } from './translations.ts'

/** Request headers that hold whole addresses, which servers compare with their own. */
const headersWithAddresses = new Set(['referer', 'origin', 'destination'])

/** Bodies that are text; all others pass as they are. */
const textTypes =
  /^(?:text\/|application\/(?:json|javascript|ecmascript|x-javascript|xml)$|[^/]*\/[^/]*\+(?:xml|json)$)/

/** A request as its client sent it, before anything here has changed it. */
interface OriginalRequest {
  readonly headers: readonly string[]
  readonly target: string
  /** Present when the request was translated. */
  readonly translation?: SnapshotTranslation
}

/**
 * Changes requests once they were judged, and answers before they are encrypted: URL translation, then rules on heads, then texts in
 * bodies.
 */
export const rewriting: FilterDescriptor = {
  name: 'rewriting',
  stage: 'plain-request',
  isShared: true,
  make: rewritingFilter,
}

function rewritingFilter({ rewriting: settings, checks }: SnapshotService): Filter | undefined {
  if (settings === undefined) return undefined
  const { requests, translations } = {
    requests: new RequestRewrites(settings.requests),
    translations: new Translations(settings.translations),
  }
  const answers = new AnswerRewriting(settings, translations, checks?.ignoresCase ?? true)
  const originals = new WeakMap<Exchange, OriginalRequest>()
  return {
    readsAnswers: settings.bodies.length > 0 || !translations.isEmpty || settings.secureHosts.length > 0,
    onJudged: (exchange) => {
      const { headers, target } = exchange
      const translation = translations.isEmpty ? undefined : translate(exchange, translations)
      originals.set(exchange, { headers, target, ...(translation ? { translation } : {}) })
      return requests.apply(exchange)
    },
    onResponse: (exchange, head) => answers.apply(exchange, head, originals.get(exchange) ?? exchange),
  }
}

/** Asks the server for the address that it knows. */
function translate(exchange: Exchange, translations: Translations): SnapshotTranslation | undefined {
  const translation = translations.toInside({ host: hostOf(exchange), target: pathOf(exchange.target) })
  if (translation === undefined) return undefined
  exchange.target = translation.place.target
  const headers = withoutHeader(exchange.headers, 'host').map((part, index, all) =>
    index % 2 === 1 && headersWithAddresses.has(all[index - 1]?.toLowerCase() ?? '')
      ? insideAddress(part, translations)
      : part,
  )
  exchange.headers = ['Host', translation.place.host, ...headers]
  return translation.by
}

function insideAddress(address: string, translations: Translations): string {
  const [, scheme, host = '', target = ''] = /^(https?):\/\/([^/?#]+)(.*)$/i.exec(address) ?? []
  const translation =
    scheme === undefined ? undefined : translations.toInside({ host, target: target || '/' })
  if (translation === undefined) return address
  return `${scheme}://${translation.place.host}${target === '' ? '' : translation.place.target}`
}

/** What is done to the answers of a service. */
class AnswerRewriting {
  readonly #settings: SnapshotRewriting
  readonly #translations: Translations
  readonly #responses: ResponseRewrites
  readonly #bodies: readonly {
    readonly hostFits: (original: OriginalRequest) => boolean
    readonly urlFits: (address: Address) => boolean
    readonly replacement: () => BodyFilter
  }[]
  readonly #isSecureHost: (host: string) => boolean

  constructor(settings: SnapshotRewriting, translations: Translations, ignoresCase: boolean) {
    this.#settings = settings
    this.#translations = translations
    this.#responses = new ResponseRewrites(settings.responses)
    this.#isSecureHost = secureHostTest(settings.secureHosts)
    this.#bodies = settings.bodies
      .filter(({ search }) => search !== '')
      .map(({ host, url, search, replacement }) => ({
        hostFits: hostTest(host),
        urlFits: urlTest(url, ignoresCase),
        replacement: () => new TextReplacement(search, replacement),
      }))
  }

  apply(exchange: Exchange, head: ResponseHead, original: OriginalRequest): BodyFilter | undefined {
    const links = this.#links(exchange, head, original)
    this.#responses.apply(exchange, head)
    const bodyFilters = [...(links ? [links] : []), ...this.#textFilters(exchange, head, original)]
    return bodyFilters.length === 0 ? undefined : new BodyChain(bodyFilters)
  }

  #links(exchange: Exchange, head: ResponseHead, original: OriginalRequest): BodyFilter | undefined {
    if (this.#translations.isEmpty && this.#settings.secureHosts.length === 0) return undefined
    const { isSecure } = exchange
    const page = { host: hostOf(original), isSecure, insideHost: hostOf(exchange) }
    const links = new OutsideLinks(page, this.#translations, this.#isSecureHost)
    replaceHeaderLinks(head, links)
    const { translation } = original
    if (translation !== undefined) {
      changeHeaders(head, (name, value) =>
        name === 'set-cookie' ? outsideCookie(value, translation, page.host) : value,
      )
    }
    return bodyLinks(exchange, head, links)
  }

  #textFilters(exchange: Exchange, head: ResponseHead, original: OriginalRequest): BodyFilter[] {
    if (this.#bodies.length === 0 && original.translation === undefined) return []
    if (!textTypes.test(mediaTypeOf(head).type) || !hasReadableBody(exchange, head)) return []
    const address = addressOf(original.target)
    const filters = [
      ...(original.translation
        ? addressesInText(original.translation, hostOf(original), exchange.isSecure)
        : []),
      ...this.#bodies
        .filter(({ hostFits, urlFits }) => urlFits(address) && hostFits(original))
        .map(({ replacement }) => replacement()),
    ]
    if (filters.length > 0) forgetBytes(head)
    return filters
  }
}

/** Whole addresses in scripts and other texts, with plain slashes and with those that JSON may escape. */
function addressesInText(
  { inside, outside }: SnapshotTranslation,
  host: string,
  isSecure: boolean,
): BodyFilter[] {
  const prefixes = [inside, outside].map(({ prefix }) => prefix.replace(/\*.*$/, '').replace(/\/$/, ''))
  const [from, to] = [
    `//${inside.host}${prefixes[0]}`,
    `//${isHost(host, outside.host.toLowerCase()) ? host : outside.host}${prefixes[1]}`,
  ]
  const escaped = (text: string) => text.replaceAll('/', '\\/')
  const own = isSecure ? 'https:' : 'http:'
  return ['http:', 'https:'].flatMap((scheme) => [
    new TextReplacement(scheme + from, own + to),
    new TextReplacement(escaped(scheme + from), escaped(own + to)),
  ])
}

/** A cookie for the host and the paths by which clients know the application. */
function outsideCookie(header: string, { inside, outside }: SnapshotTranslation, host: string): string {
  const cookie = parseSetCookie(header)
  if (cookie === undefined) return header
  const domain = attributeOf(cookie, 'domain')?.replace(/^\./, '').toLowerCase()
  const insideName = withoutPort(inside.host.toLowerCase())
  const isInside = domain !== undefined && (insideName === domain || insideName.endsWith(`.${domain}`))
  const moved = isInside ? withAttribute(cookie, 'Domain', withoutPort(outside.host)) : cookie
  const path = attributeOf(cookie, 'path')
  const target =
    path === undefined
      ? undefined
      : new Translations([{ inside, outside }]).toOutside({ host: inside.host, target: path }, host)?.target
  return writtenSetCookie(target === undefined ? moved : withAttribute(moved, 'Path', target))
}
