import type { SnapshotCookieSecurity, SnapshotService } from '@palisade/proxy-protocol'
import type { ResponseHead } from '../../exchange/answer.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import { headerValue, withoutHeader } from '../../exchange/headers.ts'
import {
  attributeOf,
  parseSetCookie,
  type SetCookie,
  withAttribute,
  writtenSetCookie,
} from '../../exchange/set-cookie.ts'
import { shownName } from '../../logs/shown-name.ts'
import { type TextTest, wildcard } from '../../patterns/wildcard.ts'
import { handleViolation } from '../../policy/handle-violation.ts'
import type { Filter, FilterDependencies, FilterDescriptor } from '../filter.ts'
import { Sealer } from '../sealer.ts'
import { scopeOf } from './cookie-scope.ts'
import { type Cookie, cookiesOf, partsOf, withCookies } from './request-cookies.ts'
import { CookieSeal, sealedValuePrefix, signaturePrefix } from './sealed-cookie.ts'

const msPerDay = 86_400_000

/**
 * Protects the cookies of servers. What clients get is encrypted, or signed by a cookie of its own beside it; servers see their
 * own cookies as they set them. One that comes back changed, too old or from somebody else is taken out of the request, which
 * goes on without it; so is one that was never sealed, once those are no longer taken.
 */
export const cookieSecurity: FilterDescriptor = {
  name: 'cookie-security',
  stage: 'plain-request',
  isShared: false,
  make: cookieSecurityFilter,
}

function cookieSecurityFilter(service: SnapshotService, { memory }: FilterDependencies): Filter | undefined {
  const { cookieSecurity: settings } = service
  if (settings === undefined) return undefined
  const seal = new CookieSeal(
    settings,
    new Sealer(settings.keys, 'cookie'),
    service.application ?? service.name,
  )
  const isExempted = exemptions(service, settings)
  const takesUnsealed = (now: number) => {
    const since = memory.cookiesProtectedSince(now)
    const { takesUnsealedDays } = settings
    return takesUnsealedDays === undefined || now < since + takesUnsealedDays * msPerDay
  }
  return {
    onRequest: (exchange) => {
      if (settings.does !== 'nothing') openCookies(exchange, { settings, seal, isExempted, takesUnsealed })
      return undefined
    },
    onResponse: (exchange, head) => {
      sealCookies(exchange, head, { settings, seal, isExempted })
      return undefined
    },
  }
}

interface SealingDependencies {
  readonly settings: SnapshotCookieSecurity
  readonly seal: CookieSeal
  readonly isExempted: TextTest
}

interface OpeningDependencies extends SealingDependencies {
  /** Whether cookies are taken that were never sealed. @param now in milliseconds since 1970 */
  readonly takesUnsealed: (now: number) => boolean
}

/** Besides the cookies that administrators exempt, those that say which server a client belongs to. */
function exemptions(
  { balancing, contentRules }: SnapshotService,
  settings: SnapshotCookieSecurity,
): TextTest {
  const ofBalancing = [balancing, ...contentRules.map((rule) => rule.balancing)].flatMap(({ persistence }) =>
    persistence?.by === 'cookie-insert' || persistence?.by === 'cookie-passive' ? persistence.name : [],
  )
  const tests = [
    ...settings.exempted.map((pattern) => wildcard(pattern)),
    ...ofBalancing.map((name) => (other: string) => other === name),
  ]
  return (name) => tests.some((test) => test(name))
}

/** Puts the cookies of servers in the place of those that clients have. */
function openCookies(exchange: Exchange, deps: OpeningDependencies): void {
  openSecondHeader(exchange, deps)
  if (headerValue(exchange.headers, 'cookie') === undefined) return
  const cookies = cookiesOf(exchange.headers)
  const signatures = cookies.filter(({ name }) => name.startsWith(signaturePrefix))
  const openedCookies = cookies
    .filter((cookie) => !signatures.includes(cookie))
    .flatMap((cookie) => opened(exchange, cookie, signatures, deps) ?? [])
  exchange.headers = withCookies(exchange.headers, openedCookies)
}

/** `Cookie2` (RFC 2965), which is older than most browsers, has nothing that was ever sealed here; some servers still read cookies in it. */
function openSecondHeader(exchange: Exchange, { takesUnsealed }: OpeningDependencies): void {
  if (headerValue(exchange.headers, 'cookie2') === undefined || takesUnsealed(exchange.runtime.now())) return
  if (!isRemoved(exchange, 'unrecognized-cookie', 'Cookie2')) return
  exchange.headers = withoutHeader(exchange.headers, 'cookie2')
}

/**
 * A cookie that is exempted passes unread, and what servers would read as further cookies in it does not.
 *
 * @returns the cookie as the server knows it; undefined when it is taken out
 */
function opened(
  exchange: Exchange,
  cookie: Cookie,
  signatures: readonly Cookie[],
  deps: OpeningDependencies,
): string | undefined {
  const { settings, seal, isExempted, takesUnsealed } = deps
  const { name, value, written } = cookie
  const parts = partsOf(cookie)
  const [first = cookie] = parts
  if (isExempted(name) || isExempted(first.name)) {
    if (parts.length === 1) return written
    const openedCookies = parts.flatMap((part) => opened(exchange, part, signatures, deps) ?? [])
    if (openedCookies.length === parts.length) return written
    return openedCookies.length === 0 ? undefined : openedCookies.join('; ')
  }
  const own = signatures.filter((signature) => signature.name === signaturePrefix + name)
  const isSealed = settings.does === 'encrypt' ? value.startsWith(sealedValuePrefix) : own.length > 0
  if (!isSealed) {
    if (takesUnsealed(exchange.runtime.now())) return written
    return isRemoved(exchange, 'unrecognized-cookie', name) ? undefined : written
  }
  if (settings.does === 'encrypt') {
    const outcome = seal.decrypted(name, value, exchange)
    if ('value' in outcome) return `${name}=${outcome.value}`
    return isRemoved(exchange, outcome.problem, name) ? undefined : written
  }
  const problems = own.map((signature) => seal.problemOf(name, value, signature.value, exchange))
  const [problem] = problems
  if (problem === undefined || problems.includes(undefined)) return written
  return isRemoved(exchange, problem, name) ? undefined : written
}

/** Tells of a cookie. @returns whether the policy wants it to be taken out; the request goes on in any case */
function isRemoved(exchange: Exchange, attack: string, name: string): boolean {
  const detail = `The cookie ${shownName(name)} is not taken.`
  return handleViolation(exchange, { attack, detail, action: 'LOG' }) !== undefined
}

/** Seals the cookies that an answer sets. */
function sealCookies(exchange: Exchange, head: ResponseHead, deps: SealingDependencies): void {
  if (headerValue(head.headers, 'set-cookie') === undefined) return
  const headers: string[] = []
  for (let index = 0; index + 1 < head.headers.length; index += 2) {
    const [name = '', value = ''] = [head.headers[index], head.headers[index + 1]]
    const cookie = name.toLowerCase() === 'set-cookie' ? parseSetCookie(value) : undefined
    if (cookie === undefined || deps.isExempted(cookie.name)) headers.push(name, value)
    else for (const one of sealed(exchange, cookie, deps)) headers.push(name, writtenSetCookie(one))
  }
  head.headers = headers
}

/** What a client gets for a cookie: itself, or with the one that signs it. */
function sealed(exchange: Exchange, plain: SetCookie, { settings, seal }: SealingDependencies): SetCookie[] {
  const cookie = withFlags(plain, settings.adds)
  const { name, value } = cookie
  if (settings.does === 'nothing') return [cookie]
  const place = { name, scope: scopeOf(cookie, exchange) }
  if (settings.does === 'encrypt') return [{ ...cookie, value: seal.encrypted(place, value, exchange) }]
  return [cookie, { ...cookie, name: signaturePrefix + name, value: seal.signature(place, value, exchange) }]
}

/** The cookie with the attributes that it lacks. */
function withFlags(
  cookie: SetCookie,
  { httpOnly, secure, sameSite }: SnapshotCookieSecurity['adds'],
): SetCookie {
  const wantedAttributes: readonly (readonly [name: string, value: string | undefined, isWanted: boolean])[] =
    [
      ['Secure', undefined, secure],
      ['HttpOnly', undefined, httpOnly],
      ['SameSite', sameSite, sameSite !== undefined],
    ]
  return wantedAttributes
    .filter(([name, , isWanted]) => isWanted && attributeOf(cookie, name.toLowerCase()) === undefined)
    .reduce((flagged, [name, value]) => withAttribute(flagged, name, value), cookie)
}
