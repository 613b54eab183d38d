import type { SnapshotAuthorizationPolicy } from '@palisade/proxy-protocol'
import { hostOf } from '../../exchange/address.ts'
import type { Answer } from '../../exchange/answer.ts'
import type { BodyReader, Exchange } from '../../exchange/exchange.ts'
import { headerValue, headerValues } from '../../exchange/headers.ts'
import { mediaTypeOf } from '../../exchange/response-head.ts'
import { beginningSetCookie, loginSetCookie, loginTokensOf } from './login-cookies.ts'
import { markOf, type Session } from './session.ts'
import type { SignIn } from './sign-in.ts'
import { redirectTo } from './sign-in-pages.ts'

/** Room for a name and a password with everything in them percent-encoded. */
const formBytesMax = 16 * 1024

/** Whether a request at the login path asks to be logged out: in its query, as links do. */
export function asksForLogout(query: URLSearchParams): boolean {
  return query.get('f_method')?.toUpperCase() === 'LOGOUT'
}

/** Ends the login that a request brings. */
export function logOut(signIn: SignIn, session: Session | undefined, exchange: Exchange): Answer {
  if (session !== undefined) signIn.sessions.end(session, exchange)
  return signIn.pages.answer('loggedOut', exchange, {
    cookies: [loginSetCookie(exchange, signIn.settings, '', undefined), beginningSetCookie(exchange, '')],
  })
}

/** Sends somebody to the login page, and has the browser remember where he was on his way to. */
export function sendToLogin(
  signIn: SignIn,
  exchange: Exchange,
  policies: readonly SnapshotAuthorizationPolicy[],
): Answer {
  const url = policies.find(({ loginUrl }) => loginUrl !== undefined)?.loginUrl
  return redirectTo(url ?? loginPageOf(signIn), [
    signIn.beginningCookie(exchange, signIn.beginning(exchange, policies)),
  ])
}

function loginPageOf({ settings }: SignIn): string {
  return `${settings.loginPath}?f_method=LOGIN`
}

/** Shows the login page. */
export function showLogin(signIn: SignIn, exchange: Exchange): Answer {
  const cookies = [signIn.beginningCookie(exchange, signIn.beginning(exchange))]
  return signIn.pages.answer('login', exchange, { cookies })
}

/** Takes the form that somebody has filled in. */
export async function takeForm(
  signIn: SignIn,
  session: Session | undefined,
  exchange: Exchange,
  read: BodyReader,
): Promise<Answer> {
  const isForm = mediaTypeOf({ headers: exchange.headers }).type === 'application/x-www-form-urlencoded'
  const body = await read(formBytesMax)
  if (!body.isWhole || !isForm || headerValue(exchange.headers, 'content-encoding') !== undefined) {
    return signIn.failed(exchange, 'What was sent to the login path is no form.')
  }
  const form = new URLSearchParams(body.bytes.toString('utf8'))
  if (!isFromHere(signIn, exchange)) return refuseForgery(signIn, exchange)
  if (asksForLogout(form)) return logOut(signIn, session, exchange)
  const beginning = signIn.sessions.openBeginning(loginTokensOf(exchange).beginnings, exchange)
  // Of a browser that has not been to the login page, another site may have sent the form.
  if (beginning === undefined) return redirectTo(loginPageOf(signIn))
  const [name, password] = [form.get('f_username') ?? '', form.get('f_passwd') ?? '']
  const attempt = await signIn.attempt(name, password, exchange)
  if ('refused' in attempt) return attempt.refused
  const { returnTo, persistentSeconds } = beginning
  const { user } = attempt
  return signIn.letIn(
    exchange,
    {
      user: user.name,
      ...(user.passwordHash === undefined
        ? { groups: user.groups }
        : { passwordMark: markOf(user.passwordHash) }),
      ...(signIn.keepsPasswords ? { password } : {}),
      ...(persistentSeconds === undefined ? {} : { persistentSeconds }),
    },
    returnTo,
  )
}

function refuseForgery(signIn: SignIn, exchange: Exchange): Answer {
  exchange.violations.push({
    attack: 'cross-site-request-forgery',
    category: exchange.judge.policy.actionFor('cross-site-request-forgery').category,
    detail: 'Another site has sent the login form.',
  })
  return signIn.pages.answer('loginFailed', exchange)
}

/** Whether a page of this host, or the login page that a policy names, has sent the form, as far as the browser says. */
function isFromHere({ settings }: SignIn, exchange: Exchange): boolean {
  const hosts = [
    hostOf(exchange).toLowerCase(),
    ...settings.policies.flatMap(({ loginUrl = '' }) =>
      URL.canParse(loginUrl) ? new URL(loginUrl).host : [],
    ),
  ]
  const origins = headerValues(exchange.headers, 'origin')
  if (origins.length === 0) {
    const site = headerValue(exchange.headers, 'sec-fetch-site')
    return site === undefined || site === 'same-origin' || site === 'none'
  }
  return origins.every(
    (origin) => URL.canParse(origin) && hosts.some((host) => isSameHost(host, new URL(origin))),
  )
}

/** Whether a `Host` is that of an origin, whose usual port is left out. */
function isSameHost(host: string, { host: other, protocol }: URL): boolean {
  return host === other || host === `${other}:${protocol === 'https:' ? 443 : 80}`
}
