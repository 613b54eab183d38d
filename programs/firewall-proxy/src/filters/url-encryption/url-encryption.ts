import type { SnapshotKey, SnapshotService, SnapshotUrlEncryptionRule } from '@palisade/proxy-protocol'
import { hostOf, pathOf } from '../../exchange/address.ts'
import type { BodyFilter, ResponseHead } from '../../exchange/answer.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import { headerValue } from '../../exchange/headers.ts'
import { changeHeaders } from '../../exchange/response-head.ts'
import { parseSetCookie, withAttribute, writtenSetCookie } from '../../exchange/set-cookie.ts'
import { bodyLinks, replaceHeaderLinks } from '../../html/answer-links.ts'
import { isPlain } from '../../paths/normal-path.ts'
import { type Address, addressOf, urlTest } from '../../paths/url-test.ts'
import { hostTest } from '../../patterns/wildcard.ts'
import { handleViolation } from '../../policy/handle-violation.ts'
import type { Filter, FilterDescriptor } from '../filter.ts'
import { Sealer } from '../sealer.ts'
import { editionOf, openValidators, sealValidators } from './editions.ts'
import { decryptedUrl, encryptedPrefix } from './encrypted-url.ts'
import { nameFile } from './file-name.ts'
import { LinkMemory, PageLinks } from './page-links.ts'

const attack = 'invalid-encrypted-url'

/** A rule made ready to be asked. */
interface Rule {
  readonly name: string
  readonly fits: (exchange: Exchange, address: Address) => boolean
  readonly allowsPlainRequests: boolean
  /** Not so for an address that a server could take for another one. Who has its {@link Address} gives that too. */
  readonly isExcluded: (target: string, address?: Address) => boolean
  /** What links are made by, besides their page. */
  readonly edition: string
}

/** For pages that no rule is about and that were reached by an encrypted address. */
const everything: SnapshotUrlEncryptionRule = {
  name: '',
  host: '*',
  url: '/*',
  allowsPlainRequests: true,
  excludedUrls: [],
}

/** What is remembered of a request until its answer comes. */
interface Visit {
  readonly rule: Rule
  /** As the client said it. */
  readonly host: string
  /** Path and query, plain, before anything else has changed them. */
  readonly target: string
  readonly isEncrypted: boolean
  /** Whether the client has kept the page, with links of this edition. */
  readonly isKnown: boolean
}

/**
 * Encrypts the links of pages, and decrypts requests before anything else looks at them. A request with an encrypted address that
 * was changed is refused, and so is one with a plain address where the rule does not allow it, however it is spelt.
 *
 * Cookies of such pages get the path "/", since browsers would not send others with encrypted addresses.
 */
export const urlEncryption: FilterDescriptor = {
  name: 'url-encryption',
  stage: 'arrival',
  isShared: true,
  make: urlEncryptionFilter,
}

function urlEncryptionFilter(service: SnapshotService): Filter | undefined {
  const { urlEncryption: settings, checks, application = service.name } = service
  if (settings === undefined || settings.rules.length === 0) return undefined
  const sealer = new Sealer(settings.keys, 'url')
  const make = (rule: SnapshotUrlEncryptionRule) =>
    prepared(rule, settings.keys[0], checks?.ignoresCase ?? true)
  const rules = settings.rules.map(make)
  const withoutRule = make(everything)
  const memory = new LinkMemory()
  const visits = new WeakMap<Exchange, Visit>()
  return {
    readsAnswers: true,
    onRequest: (exchange) => {
      const isEncrypted = pathOf(exchange.target).startsWith(encryptedPrefix)
      const manipulation = isEncrypted ? decrypt(exchange, sealer, application) : undefined
      if (manipulation !== undefined) return handleViolation(exchange, { attack, detail: manipulation })
      decryptReferrer(exchange, sealer, application)
      const target = pathOf(exchange.target)
      const address = addressOf(target)
      const mayFollow = ({ allowsPlainRequests }: Rule) =>
        isEncrypted || !allowsPlainRequests || isPlain(target)
      const fitting = rules.find((one) => one.fits(exchange, address) && mayFollow(one))
      const rule = fitting ?? (isEncrypted ? withoutRule : undefined)
      if (rule === undefined) return undefined
      const isKnown = openValidators(exchange, rule.edition)
      visits.set(exchange, { rule, host: hostOf(exchange), target, isEncrypted, isKnown })
      if (isEncrypted || rule.allowsPlainRequests || rule.isExcluded(target, address)) return undefined
      const detail = `The rule ${rule.name} wants the address to be an encrypted one.`
      return handleViolation(exchange, { attack, detail, rule: rule.name })
    },
    onResponse: (exchange, head) => {
      const visit = visits.get(exchange)
      return visit && encryptLinks(exchange, head, visit, { sealer, memory, application })
    },
  }
}

function prepared(rule: SnapshotUrlEncryptionRule, key: SnapshotKey | undefined, ignoresCase: boolean): Rule {
  const hostFits = hostTest(rule.host)
  const urlFits = urlTest(rule.url, ignoresCase)
  const excluded = rule.excludedUrls.map((pattern) => urlTest(pattern, ignoresCase))
  return {
    name: rule.name,
    fits: (exchange, address) => urlFits(address) && hostFits(exchange),
    allowsPlainRequests: rule.allowsPlainRequests,
    isExcluded: (target, address = addressOf(target)) =>
      excluded.some((fits) => fits(address)) && isPlain(target),
    edition: editionOf([key?.id, rule, ignoresCase]),
  }
}

/** Puts the plain address of a request in the place of the encrypted one. @returns what is wrong with that, if anything is */
function decrypt(exchange: Exchange, sealer: Sealer, application: string): string | undefined {
  const decrypted = decryptedUrl(sealer, pathOf(exchange.target), contextOf(application, hostOf(exchange)))
  if ('manipulation' in decrypted) return decrypted.manipulation
  exchange.target = decrypted.target
  exchange.decryptedTarget = decrypted.target
  return undefined
}

/** Servers know their pages by plain addresses; a referrer that cannot be decrypted stays as it is. */
function decryptReferrer(exchange: Exchange, sealer: Sealer, application: string): void {
  const referrer = headerValue(exchange.headers, 'referer')
  if (!referrer?.includes(encryptedPrefix)) return
  const url = URL.parse(referrer)
  const decrypted = url && decryptedUrl(sealer, url.pathname + url.search, contextOf(application, url.host))
  if (!decrypted || 'manipulation' in decrypted) return
  exchange.headers = exchange.headers.map((part, index, all) =>
    index % 2 === 1 && all[index - 1]?.toLowerCase() === 'referer' ? url.origin + decrypted.target : part,
  )
}

function encryptLinks(
  exchange: Exchange,
  head: ResponseHead,
  { rule, host, target, isEncrypted, isKnown }: Visit,
  {
    sealer,
    memory,
    application,
  }: { readonly sealer: Sealer; readonly memory: LinkMemory; readonly application: string },
): BodyFilter | undefined {
  const { isSecure } = exchange
  const page = {
    host,
    context: contextOf(application, host),
    isSecure,
    target,
    isEncrypted,
    isExcluded: rule.isExcluded,
  }
  const links = () => new PageLinks(page, sealer, memory, rule.name)
  replaceHeaderLinks(head, links())
  changeHeaders(head, (name, value) => (name === 'set-cookie' ? forWholeSite(value) : value))
  const tag = headerValue(head.headers, 'etag')
  const body = bodyLinks(exchange, head, links())
  if (body !== undefined || (isKnown && head.status === 304)) sealValidators(head, rule.edition, tag)
  else if (isEncrypted) nameFile(head, target)
  return body
}

function forWholeSite(header: string): string {
  const cookie = parseSetCookie(header)
  return cookie ? writtenSetCookie(withAttribute(cookie, 'Path', '/')) : header
}

/** The application and the host for which encrypted addresses are good, whether they are reached over HTTP or HTTPS. */
function contextOf(application: string, host: string): string {
  return JSON.stringify([application, host.toLowerCase().replace(/:(?:80|443)$/, '')])
}
