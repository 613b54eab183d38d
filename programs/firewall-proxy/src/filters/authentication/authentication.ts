import type { SnapshotAuthorizationPolicy, SnapshotService } from '@palisade/proxy-protocol'
import { pathOf, withoutQuery } from '../../exchange/address.ts'
import type { Answer } from '../../exchange/answer.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import { headerValue, withoutHeader } from '../../exchange/headers.ts'
import { ExceptionClients } from '../../slow-clients/exception-clients.ts'
import type { Filter, FilterDependencies, FilterDescriptor } from '../filter.ts'
import { Authorization, isOpenPage, mayPass } from './authorization.ts'
import { BasicLogins, credentialsOf } from './basic-login.ts'
import { asksForLogout, logOut, sendToLogin, showLogin, takeForm } from './login-form.ts'
import { OpenIdLogin } from './openid-login.ts'
import { type Session, userOf } from './session.ts'
import { SignIn } from './sign-in.ts'
import { redirectTo } from './sign-in-pages.ts'

/** What is known of a request that passed. */
interface Passed {
  /** Undefined where nobody has logged in. */
  readonly session: Session | undefined
  /** The name and the password that its server is told; undefined where it is told none. */
  readonly credentials: { readonly name: string; readonly password: string } | undefined
  /** Whether what the client says of itself in `Authorization` is meant for us. */
  readonly hidesCredentials: boolean
}

/**
 * Asks people who they are before their requests reach the servers, in every mode: whoever has not logged in does not belong there, whether
 * attacks are blocked or only logged.
 */
export const authentication: FilterDescriptor = {
  name: 'authentication',
  stage: 'plain-request',
  isShared: true,
  make: authenticationFilter,
}

function authenticationFilter(service: SnapshotService, { memory }: FilterDependencies): Filter | undefined {
  const settings = service.authentication
  if (settings === undefined) return undefined
  const signIn = new SignIn(service, settings, memory)
  const gate = new Gate(service, signIn)
  const passed = new WeakMap<Exchange, Passed>()
  return {
    onRequest: (exchange) => gate.pass(exchange, (facts) => passed.set(exchange, facts)),
    onJudged: (exchange) => {
      const facts = passed.get(exchange)
      if (facts !== undefined) tellServer(exchange, facts)
      return undefined
    },
    onResponse: (exchange, head) => {
      const facts = passed.get(exchange)
      if (facts?.session === undefined) return undefined
      const prolonged = signIn.sessions.prolonged(facts.session, exchange)
      if (prolonged !== undefined) head.headers.push('Set-Cookie', signIn.setCookie(exchange, prolonged))
      if (exchange.user !== undefined) keepPrivate(head)
      return undefined
    },
  }
}

/** Says of each request whether it may pass, and answers those that are about logging in. */
class Gate {
  readonly #signIn: SignIn
  readonly #authorization: Authorization
  readonly #basic: BasicLogins
  readonly #openId: OpenIdLogin | undefined
  readonly #exempted: ExceptionClients
  readonly #believesHeader: boolean

  constructor(service: SnapshotService, signIn: SignIn) {
    const { settings } = signIn
    this.#signIn = signIn
    this.#authorization = new Authorization(settings, service.checks?.ignoresCase ?? true)
    this.#basic = new BasicLogins(signIn)
    this.#openId = settings.provider && new OpenIdLogin(signIn, settings.provider)
    this.#exempted = new ExceptionClients(settings.exemptedClients)
    this.#believesHeader = service.trustedProxies !== undefined
  }

  /** @param onPassed told of a request that passes @returns what the client gets instead */
  pass(exchange: Exchange, onPassed: (facts: Passed) => void): Answer | undefined {
    const session = this.#signIn.hasUsers ? this.#signIn.sessionOf(exchange) : undefined
    const ownAnswer = this.#ofOwnPaths(exchange, session)
    if (ownAnswer !== undefined) return ownAnswer
    if (exchange.waiting !== undefined) {
      // No server gets it, and a password may look like anything.
      exchange.mode = 'off'
      return undefined
    }
    const policies = this.#authorization.policiesFor(exchange)
    const sendsPassword = policies.some((policy) => policy.sendsPassword)
    if (policies.length === 0 || this.#isExempted(exchange) || isOpenPage(policies, exchange)) {
      if (session !== undefined) exchange.user = userOf(session)
      onPassed({ session, credentials: undefined, hidesCredentials: sendsPassword })
      return undefined
    }
    if (!this.#signIn.hasUsers) {
      return this.#signIn.unavailable(
        exchange,
        'Nobody can log in: the authentication-service is none that proxies can ask.',
      )
    }
    if (session !== undefined) {
      const { user, groups = [], password } = session
      if (!policies.every((policy) => mayPass(policy, session, groups))) return this.#deny(policies, exchange)
      exchange.user = userOf(session)
      const credentials = sendsPassword && password !== undefined ? { name: user, password } : undefined
      onPassed({ session, credentials, hidesCredentials: sendsPassword })
      return undefined
    }
    return this.#askForLogin(policies, exchange, onPassed)
  }

  #askForLogin(
    policies: readonly SnapshotAuthorizationPolicy[],
    exchange: Exchange,
    onPassed: (facts: Passed) => void,
  ): Answer | undefined {
    const openId = this.#openId
    if (openId !== undefined) {
      exchange.waiting = () => openId.begin(exchange, policies)
      return undefined
    }
    if (!policies.some(({ loginMethod }) => loginMethod === 'basic')) {
      return sendToLogin(this.#signIn, exchange, policies)
    }
    const credentials = credentialsOf(exchange)
    if (credentials === undefined) return this.#basic.challenge(exchange)
    const sendsPassword = policies.some((policy) => policy.sendsPassword)
    const passAs = (user: { readonly name: string; readonly groups: readonly string[] }) => {
      if (!policies.every((policy) => mayPass(policy, { user: user.name }, user.groups))) {
        return this.#deny(policies, exchange)
      }
      exchange.user = { name: user.name, groups: user.groups }
      onPassed({
        session: undefined,
        credentials: sendsPassword ? credentials : undefined,
        hidesCredentials: true,
      })
      return undefined
    }
    const user = this.#basic.remembered(credentials, exchange)
    if (user !== undefined) return passAs(user)
    exchange.waiting = async () => {
      const attempt = await this.#basic.check(credentials, exchange)
      return 'user' in attempt ? passAs(attempt.user) : attempt.refused
    }
    return undefined
  }

  /** Answers at the login path and where a provider sends people back, or has `exchange.waiting` do so. */
  #ofOwnPaths(exchange: Exchange, session: Session | undefined): Answer | undefined {
    const { settings } = this.#signIn
    const address = pathOf(exchange.target)
    const path = withoutQuery(address)
    const openId = this.#openId
    const query = new URLSearchParams(address.slice(path.length))
    if (openId?.isReturn(path, query)) {
      exchange.waiting = () => openId.finish(exchange, query)
      return undefined
    }
    if (path !== settings.loginPath) return undefined
    if (!this.#signIn.hasUsers) return this.#signIn.unavailable(exchange, 'Nobody can log in.')
    const { method } = exchange.request
    if (method === 'POST') {
      exchange.waiting = (read) => takeForm(this.#signIn, session, exchange, read)
      return undefined
    }
    if (method !== 'GET' && method !== 'HEAD') return { status: 405, headers: { allow: 'GET, HEAD, POST' } }
    if (asksForLogout(query)) return logOut(this.#signIn, session, exchange)
    if (openId === undefined) return showLogin(this.#signIn, exchange)
    exchange.waiting = () => openId.begin(exchange, [])
    return undefined
  }

  #deny(policies: readonly SnapshotAuthorizationPolicy[], exchange: Exchange): Answer {
    const url = policies.find(({ deniedUrl }) => deniedUrl !== undefined)?.deniedUrl
    exchange.violations.push({
      attack: 'Access Denied',
      category: 'Forceful Browsing',
      detail: 'Whoever has logged in may not make this request.',
      rule: policies.map(({ name }) => name).join(', '),
    })
    return url === undefined ? this.#signIn.pages.answer('denied', exchange) : redirectTo(url)
  }

  /** Where nobody has said which proxies to believe, whoever claims an address must be exempted himself. */
  #isExempted({ clientAddress, peerAddress }: Exchange): boolean {
    return this.#exempted.has(clientAddress) && (this.#believesHeader || this.#exempted.has(peerAddress))
  }
}

/** Says who has logged in, where that is asked for, and takes out what the client itself says of it. */
function tellServer(exchange: Exchange, { credentials, hidesCredentials }: Passed): void {
  if (!hidesCredentials) return
  const headers = withoutHeader(exchange.headers, 'authorization')
  if (credentials !== undefined) {
    const text = Buffer.from(`${credentials.name}:${credentials.password}`, 'utf8').toString('base64')
    headers.push('Authorization', `Basic ${text}`)
  }
  exchange.headers = headers
}

/** Has nobody between here and the browser keep what only those may see who have logged in. */
function keepPrivate(head: { headers: string[] }): void {
  const cacheControl = headerValue(head.headers, 'cache-control') ?? ''
  if (/\b(?:private|no-store)\b/i.test(cacheControl)) return
  const others = cacheControl
    .split(',')
    .map((directive) => directive.trim())
    .filter((directive) => directive !== '' && !/^(?:public|s-maxage=.*)$/i.test(directive))
  const headers = withoutHeader(head.headers, 'cache-control')
  headers.push('Cache-Control', ['private', ...others].join(', '))
  head.headers = headers
}
