import type { SnapshotPage, SnapshotSignInPages } from '@palisade/proxy-protocol'
import { encodedAddress } from '../../exchange/address.ts'
import type { Answer } from '../../exchange/answer.ts'
import { escapedHtml } from '../../exchange/escaped-html.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import { pageAnswer } from '../../policy/denial-answer.ts'

/** What all pages say on which people log in, unless they say something else: nobody keeps them, and nobody shows them inside his own. */
const protections: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  // Without it browsers would not say that the form comes from here.
  'referrer-policy': 'same-origin',
}

/** What is shown where the page of a service is missing. */
const plainPages: Readonly<Record<keyof SnapshotSignInPages | 'unavailable', SnapshotPage>> = {
  login: plainPage(
    200,
    'Log in',
    '<form method="post" action="%login-path"><p><label>User name <input name="f_username" autocomplete="username" required></label></p><p><label>Password <input type="password" name="f_passwd" autocomplete="current-password" required></label></p><p><button type="submit">Log in</button></p></form>',
  ),
  loginFailed: plainPage(
    403,
    'Not logged in',
    '<p>The user name or the password is wrong.</p><p><a href="%login-path">Try again</a></p>',
  ),
  loggedIn: plainPage(200, 'Logged in', '<p>You are logged in.</p>'),
  loggedOut: plainPage(200, 'Logged out', '<p>You are logged out.</p>'),
  denied: plainPage(403, 'No access', '<p>You are logged in, but may not use this page.</p>'),
  unavailable: plainPage(
    503,
    'Login not possible',
    '<p>Nobody can log in at the moment. Please try again later, and tell whoever runs this site.</p><p>Support number: %log-id</p>',
  ),
}

function plainPage(status: number, title: string, content: string): SnapshotPage {
  return {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
</head>
<body>
<h1>${title}</h1>
${content}
</body>
</html>`,
  }
}

/** Answers people on their way into an application. */
export class SignInPages {
  readonly #pages: SnapshotSignInPages
  readonly #loginPath: string

  constructor(pages: SnapshotSignInPages, loginPath: string) {
    this.#pages = pages
    this.#loginPath = loginPath
  }

  /** The page of the service, or where people are sent in its place. @param more over what the page says */
  answer(
    name: keyof SnapshotSignInPages | 'unavailable',
    exchange: Exchange,
    more: Partial<Pick<Answer, 'status' | 'headers' | 'cookies'>> = {},
  ): Answer {
    const page = (name === 'unavailable' ? undefined : this.#pages[name]) ?? plainPages[name]
    if (typeof page === 'string') return redirectTo(page, more.cookies)
    const own = lowerCaseNames(page.headers)
    const body = page.body.replaceAll('%login-path', escapedHtml(this.#loginPath))
    const answer = pageAnswer({ ...page, body }, exchange, name)
    return { ...answer, ...more, headers: { ...protections, ...own, ...more.headers } }
  }
}

/** Sends somebody to an address, a path at this host or a whole one. */
export function redirectTo(address: string, cookies?: readonly string[]): Answer {
  return {
    status: 302,
    headers: { location: encodedAddress(address), 'cache-control': 'no-store' },
    body: '',
    ...(cookies === undefined ? {} : { cookies }),
  }
}

function lowerCaseNames(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
