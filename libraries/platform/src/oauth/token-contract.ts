import { Type } from 'typebox'
import { withExample } from '../openapi/example.ts'
import { operatorSecuritySchemes } from '../openapi/operator-security.ts'
import type { ServiceContract } from '../openapi/service-contract.ts'
import { oauth2 } from '../openapi/with-security.ts'

/*
 * The token endpoint as the OpenAPI document shows it (RFC 6749, sections 4.4 and 5).
 */

/** The tag of token endpoints in OpenAPI documents. */
export const authenticationTag = 'Authentication'

/** The name of the client's own HTTP Basic credentials in `securitySchemes`. */
export const clientBasic = 'client'

/** The tag of the token endpoint, for the contract of a service that has one. */
export const tokenTags: ServiceContract['tags'] = {
  [authenticationTag]: 'Access tokens, which every other operation asks for.',
}

/**
 * How callers show who they are to a service with a token endpoint: its clients by a token of that, operators as they do everywhere.
 *
 * @param basePath of the service, such as "/email"
 * @param scopes what each opens, by its name
 */
export function tokenSecuritySchemes(
  basePath: string,
  scopes: Record<string, string>,
): ServiceContract['securitySchemes'] {
  return {
    [oauth2]: {
      type: 'oauth2',
      description: 'An access token of the token endpoint, in `Authorization: Bearer …`.',
      flows: { clientCredentials: { tokenUrl: `${basePath}/oauth2/token`, scopes } },
    },
    [clientBasic]: {
      type: 'http',
      scheme: 'basic',
      description: 'The id and the secret of the client, at the token endpoint only.',
    },
    ...operatorSecuritySchemes,
  }
}

/**
 * @param grantTypes accepted values of grant_type
 * @param scopes what clients may ask for
 */
export function tokenRequestBody(grantTypes: readonly string[], scopes: readonly string[]) {
  const body = Type.Object(
    {
      grant_type: Type.Enum([...grantTypes]),
      client_id: Type.Optional(Type.String({ description: 'left out beside HTTP Basic' })),
      client_secret: Type.Optional(
        Type.String({ format: 'password', description: 'left out beside HTTP Basic' }),
      ),
      scope: Type.Optional(
        Type.String({
          description: `${scopes.join(', ')}, separated by blanks; everything that the client may have when left out`,
        }),
      ),
    },
    { title: 'AccessTokenRequest' },
  )
  const [grantType = ''] = grantTypes
  return withExample(body, {
    grant_type: grantType,
    client_id: 'example-client',
    client_secret: 'example-secret',
    scope: scopes.join(' '),
  })
}

/** @param scopes what clients may ask for */
export function tokenReply(scopes: readonly string[]) {
  const reply = Type.Object(
    {
      access_token: Type.String(),
      expires_in: Type.Integer({ description: 'seconds' }),
      token_type: Type.Literal('Bearer'),
      scope: Type.String({ description: 'what the token opens, separated by blanks' }),
    },
    { title: 'AccessToken' },
  )
  return withExample(reply, {
    access_token: 'Yt6kAX6uVvZ0mQhP4yXo2fBvJx1nSg9dRc7wEtLk3aM',
    expires_in: 3600,
    token_type: 'Bearer',
    scope: scopes.join(' '),
  })
}

/** The body of a refusal by a token endpoint (RFC 6749, section 5.2). */
export const TokenRefusal = withExample(
  Type.Object(
    {
      error: Type.String({ description: 'a code of RFC 6749, section 5.2 or 4.1.2.1' }),
      error_description: Type.String(),
    },
    { title: 'TokenRefusal' },
  ),
  { error: 'invalid_client', error_description: 'The client is unknown or its secret is wrong.' },
)
