/** Who is asking, to a service with client credentials. */
export interface ClientSecret {
  readonly clientId: string
  readonly clientSecret: string
  /** Everything that the client may have, when left out. */
  readonly scopes?: readonly string[]
}

/** No access token was given; the message says why, in the server's words. */
export class AccessRefused extends Error {}

/**
 * Asks a service for an access token (RFC 6749, section 4.4). It is good for an hour.
 *
 * @param baseUrl the service's base URL, such as http://127.0.0.1:8080/backup
 * @throws AccessRefused when the credentials or scopes are not accepted
 */
export async function requestAccessToken(baseUrl: string, client: ClientSecret): Promise<string> {
  const reply = await fetch(`${baseUrl}/oauth2/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: client.clientId,
      client_secret: client.clientSecret,
      ...(client.scopes ? { scope: client.scopes.join(' ') } : {}),
    }),
  })
  const answer: unknown = await reply.json()
  const text = (name: string) => {
    const value = typeof answer === 'object' && answer !== null ? Reflect.get(answer, name) : undefined
    return typeof value === 'string' ? value : undefined
  }
  const token = text('access_token')
  if (reply.ok && token !== undefined) return token
  throw new AccessRefused(text('error_description') ?? `the token endpoint answered ${reply.status}`)
}
