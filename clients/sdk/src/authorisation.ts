import { errorOf, reachable } from './errors.ts'

/** Who calls, and how a service gets to know it. */
export interface Authorisation {
  /** The headers that say who calls. It may ask for a token first. */
  headers(): Promise<Readonly<Record<string, string>>>
  /** Forgets the token that a service has refused, so that the next headers carry a new one; left out where there is no other. */
  renew?(): void
  /** That a browser leaves out its cookies, where a service knows its callers by these headers alone. */
  readonly credentials?: 'omit'
}

/** Who is asking, to a service with client credentials. */
export interface ClientSecret {
  readonly clientId: string
  readonly clientSecret: string
  /** Everything that the client may have, when left out. */
  readonly scopes?: readonly string[]
}

/** An API token of an operator, or an access token that a service has given. */
export function bearerToken(token: string): Authorisation {
  return { headers: async () => ({ authorization: `Bearer ${token}` }) }
}

/**
 * The session of an operator. A browser sends the cookie, and this the token against forged requests; a program has to send both.
 *
 * @param csrfToken from the reply of `POST /session`
 * @param cookie name and value of the cookie that came with it; left out in a browser
 */
export function operatorSession(csrfToken: string, cookie?: string): Authorisation {
  const headers = { 'x-csrf-token': csrfToken, ...(cookie === undefined ? {} : { cookie }) }
  return { headers: async () => headers }
}

/**
 * Client credentials of the backup or the email service (RFC 6749, section 4.4). A token is asked for with the first call, and
 * anew before it expires or when the service refuses it.
 *
 * @param baseUrl the service's base URL, such as https://palisade.example.org:8081/backup
 */
export function clientCredentials(baseUrl: string, client: ClientSecret): Authorisation {
  return renewedToken(async () => {
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: client.clientId,
      client_secret: client.clientSecret,
      ...(client.scopes ? { scope: client.scopes.join(' ') } : {}),
    })
    const reply = await post(`${baseUrl}/oauth2/token`, form)
    const token = (await reply.json()) as { access_token: string; expires_in: number }
    return {
      headers: { authorization: `Bearer ${token.access_token}` },
      lifetimeMs: token.expires_in * 1000,
    }
  })
}

/**
 * An administrator of the firewall. The login is asked for with the first call, and anew when the service refuses its token.
 *
 * @param origin of the management API, such as https://palisade.example.org:8443
 */
export function firewallLogin(
  origin: string,
  credentials: { readonly username: string; readonly password: string },
): Authorisation {
  return renewedToken(async () => {
    const reply = await post(`${origin}/restapi/v3.2/login`, credentials)
    const { token } = (await reply.json()) as { token: string }
    return { headers: firewallTokenHeaders(token) }
  })
}

/** A token of the firewall's management API, with the line feeds that are part of it. */
export function firewallToken(token: string): Authorisation {
  const headers = firewallTokenHeaders(token)
  return { headers: async () => headers, credentials: 'omit' }
}

/**
 * Tokens of the firewall's management API from elsewhere, such as those that an operator gets without a second password. The first is
 * asked for with the first call, and another one when the service refuses it.
 *
 * @param issue gives a new token, with the line feeds that are part of it
 */
export function firewallTokens(issue: () => Promise<string>): Authorisation {
  return {
    ...renewedToken(async () => ({ headers: firewallTokenHeaders(await issue()) })),
    credentials: 'omit',
  }
}

/**
 * A user of the awareness service with an API key.
 *
 * @param baseUrl the service's base URL, such as https://palisade.example.org:8081/awareness
 */
export function awarenessKey(
  baseUrl: string,
  user: { readonly username: string; readonly password: string; readonly apiKey: string },
): Authorisation {
  return renewedToken(async () => {
    const reply = await post(`${baseUrl}/authenticate`, {
      bof_ticket_user: user.username,
      bof_ticket_pw: user.password,
      api_key: user.apiKey,
    })
    const { data } = (await reply.json()) as { data: { access_token: string } }
    return { headers: { access_token: data.access_token } }
  })
}

interface IssuedToken {
  readonly headers: Readonly<Record<string, string>>
  /** Milliseconds from now on; for ever when left out. */
  readonly lifetimeMs?: number
}

/** A new token is asked for this long before the old one expires. */
const renewalMarginMs = 60_000

/** Asks for one token at a time, for any number of calls. */
function renewedToken(issue: () => Promise<IssuedToken>): Authorisation {
  let current: Promise<IssuedToken> | undefined
  let renewAt = Number.POSITIVE_INFINITY
  return {
    async headers() {
      if (current === undefined || Date.now() >= renewAt) {
        renewAt = Number.POSITIVE_INFINITY
        const issued = issue()
        current = issued
        issued.then(
          ({ lifetimeMs = Number.POSITIVE_INFINITY }) => {
            renewAt = Date.now() + Math.max(lifetimeMs - renewalMarginMs, lifetimeMs / 2)
          },
          () => {
            current = undefined
          },
        )
      }
      return (await current).headers
    },
    renew() {
      current = undefined
    },
  }
}

function firewallTokenHeaders(token: string): Readonly<Record<string, string>> {
  return { authorization: `Basic ${btoa(`${token}:`)}` }
}

/**
 * Sends a form, or anything else as JSON.
 *
 * @throws ApiError when the service refuses
 */
async function post(url: string, body: object): Promise<Response> {
  const response = await reachable(() =>
    body instanceof URLSearchParams
      ? fetch(url, { method: 'POST', body })
      : fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
  )
  if (response.ok) return response
  throw errorOf(response, await response.json().catch(() => undefined))
}
