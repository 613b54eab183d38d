import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Clock } from '../clock.ts'
import { clientAddress } from '../http/client-address.ts'
import { sendRefusal } from '../http/mount-service.ts'
import { refusalOfError } from '../http/refusal-of-error.ts'
import { type ErrorEnvelope, type RefusalCode, RequestRefused } from '../refusal.ts'
import { repeatedIndexes } from '../repeated-indexes.ts'
import { FailedLogins } from '../secrets/failed-logins.ts'
import { credentialsSizeMax } from '../secrets/hashing-queue.ts'
import type { ClientCredentials, IssuedToken, TokenFailure } from './client-credentials.ts'
import {
  authenticationTag,
  clientBasic,
  TokenRefusal,
  tokenReply,
  tokenRequestBody,
} from './token-contract.ts'

/** Who may ask a token endpoint for what. */
export interface TokenEndpointOptions {
  readonly credentials: ClientCredentials
  /** Accepted values of grant_type. */
  readonly grantTypes: readonly string[]
  /** What clients may ask for, as the OpenAPI document tells it; which of these one gets is said by the credentials. */
  readonly scopes: readonly string[]
  readonly clock: Clock
}

interface Client {
  readonly clientId: string
  readonly clientSecret: string
}

interface TokenRequest {
  /** The client as it may be meant, likeliest first. */
  readonly readings: readonly Client[]
  readonly scopes: readonly string[]
}

/** Refused with a code of RFC 6749, section 5.2. */
class TokenRequestRefused extends RequestRefused {
  readonly error: string

  constructor(error: string, description: string) {
    const isUnknown = error === 'invalid_client'
    const challenge = { 'www-authenticate': 'Basic realm="oauth2"' }
    super(isUnknown ? 'unauthenticated' : 'bad-request', description, isUnknown ? { headers: challenge } : {})
    this.error = error
  }
}

const formType = 'application/x-www-form-urlencoded'

/** What section 5.2 has no code for; the word is that of section 4.1.2.1. */
const errorOfCode: Partial<Record<RefusalCode, string>> = {
  'too-many-requests': 'temporarily_unavailable',
  unavailable: 'temporarily_unavailable',
}

/** The endpoint's errors, whatever the service's own envelope is (RFC 6749, section 5.2). */
const tokenErrors: ErrorEnvelope = (refusal) => ({
  body: {
    error:
      refusal instanceof TokenRequestRefused
        ? refusal.error
        : (errorOfCode[refusal.code] ?? 'invalid_request'),
    error_description:
      refusal.code === 'unsupported-media-type'
        ? `The body must be a form, sent with Content-Type: ${formType}.`
        : refusal.message,
  },
})

/**
 * `POST {base_url}/oauth2/token`: issues an access token for a client's own credentials, given by HTTP Basic or
 * as client_id and client_secret in the form, never both (RFC 6749, sections 2.3.1, 3.2 and 4.4). Scopes are
 * separated by blanks; a literal plus is read as one, since clients are known to encode it twice. An address that
 * has failed too often has to wait: see {@link FailedLogins}.
 */
export function tokenEndpoint(options: TokenEndpointOptions) {
  const failedLogins = new FailedLogins(options.clock)
  return async (scope: FastifyInstance): Promise<void> => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      formType,
      { parseAs: 'string' },
      async (_request: FastifyRequest, body: string) => new URLSearchParams(body),
    )
    scope.addHook('onRequest', async (_request, reply) => {
      reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' })
    })
    scope.setErrorHandler((error, request, reply) => {
      const refusal = refusalOfError(error, request)
      if (refusal.code === 'internal') throw error
      return sendRefusal(reply, refusal, tokenErrors)
    })
    scope.post(
      '/oauth2/token',
      {
        bodyLimit: credentialsSizeMax,
        // The schema is for the OpenAPI document; what is wrong is told in the words of RFC 6749.
        validatorCompiler: () => () => true,
        schema: {
          operationId: 'requestAccessToken',
          summary: 'Issue an access token for client credentials',
          description:
            'The client says who it is by HTTP Basic or in the form, never both. The token is good for `expires_in` seconds.',
          tags: [authenticationTag],
          security: [{ [clientBasic]: [] }, {}],
          consumes: [formType],
          body: tokenRequestBody(options.grantTypes, options.scopes),
          response: {
            200: tokenReply(options.scopes),
            400: TokenRefusal,
            401: TokenRefusal,
            default: TokenRefusal,
          },
        },
      },
      async (request) => {
        const tokenRequest = readTokenRequest(request, options.grantTypes)
        return failedLogins.attempt(clientAddress(request), () => issue(tokenRequest, options.credentials))
      },
    )
  }
}

async function issue({ readings, scopes }: TokenRequest, credentials: ClientCredentials) {
  let issued: IssuedToken | TokenFailure = 'invalid_client'
  for (const { clientId, clientSecret } of readings) {
    issued = await credentials.issue(clientId, clientSecret, scopes)
    if (issued !== 'invalid_client') break
  }
  if (issued === 'invalid_client') {
    throw new TokenRequestRefused(issued, 'The client is unknown or its secret is wrong.')
  }
  if (issued === 'invalid_scope') {
    throw new TokenRequestRefused(issued, 'The client may not have every scope that it asks for.')
  }
  return {
    access_token: issued.accessToken,
    expires_in: issued.expiresInSeconds,
    token_type: 'Bearer',
    scope: issued.scopes.join(' '),
  }
}

function readTokenRequest(request: FastifyRequest, grantTypes: readonly string[]): TokenRequest {
  const parameters = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
  // Parameters without a value count as omitted (RFC 6749, section 3.2).
  const form = new URLSearchParams([...parameters].filter(([, value]) => value !== ''))
  const names = [...form.keys()]
  const [repeated] = repeatedIndexes(names)
  if (repeated !== undefined) {
    throw new TokenRequestRefused(
      'invalid_request',
      `The parameter ${names[repeated]} is given more than once.`,
    )
  }
  const grantType = form.get('grant_type')
  if (grantType === null)
    throw new TokenRequestRefused('invalid_request', 'The parameter grant_type is missing.')
  if (!grantTypes.includes(grantType)) {
    throw new TokenRequestRefused('unsupported_grant_type', `grant_type must be ${grantTypes.join(' or ')}.`)
  }
  const scopes = (form.get('scope') ?? '').split(/[ +]+/).filter((scope) => scope !== '')
  return { readings: readClient(request.headers.authorization, form), scopes }
}

/**
 * Both halves of Basic credentials are form-encoded (RFC 6749, section 2.3.1), which many clients forget. So a
 * secret in which that makes a difference is tried decoded first and then as it came.
 */
function readClient(authorization: string | undefined, form: URLSearchParams): Client[] {
  const clientId = form.get('client_id')
  const clientSecret = form.get('client_secret')
  if (authorization === undefined) {
    if (clientId === null || clientSecret === null) {
      throw new TokenRequestRefused('invalid_client', 'The client did not authenticate.')
    }
    return [{ clientId, clientSecret }]
  }
  const basic = /^basic +([A-Za-z0-9+/=_-]+) *$/i.exec(authorization)?.[1]
  const [, id, secret] = /^([^:]*):([\s\S]*)$/.exec(Buffer.from(basic ?? '', 'base64').toString()) ?? []
  if (id === undefined || secret === undefined) {
    throw new TokenRequestRefused('invalid_client', 'The Authorization header is not valid HTTP Basic.')
  }
  const decoded = { clientId: formDecoded(id), clientSecret: formDecoded(secret) }
  if (clientSecret !== null || (clientId !== null && clientId !== decoded.clientId && clientId !== id)) {
    throw new TokenRequestRefused('invalid_request', 'The client authenticates in more than one way.')
  }
  const asItCame = { clientId: id, clientSecret: secret }
  return decoded.clientId === id && decoded.clientSecret === secret ? [asItCame] : [decoded, asItCame]
}

/** The text that was form-encoded; text that cannot have been is left as it is. */
function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
