import type { Kind } from '../../kinds/kind.ts'
import { absoluteUrl, objectName } from '../../kinds/patterns.ts'

/**
 * Where the users of an OpenID Connect realm log in. The endpoints have to be given in either endpoint
 * configuration: they work before the provider was reached for the first time.
 */
export const oidcIdentityProvider = {
  name: 'oidc-identity-provider',
  title: 'OIDC Identity Provider',
  description: 'A provider whose OpenID Connect tokens about the users of a realm are believed.',
  path: 'openidc-identity-providers',
  parent: 'oidc-authentication-service',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, pattern: objectName, required: true },
    'auth-endpoint': {
      type: 'string',
      lengthMax: 256,
      pattern: absoluteUrl,
      required: true,
      description: 'Where users are sent to log in.',
    },
    'client-id': {
      type: 'string',
      lengthMax: 256,
      required: true,
      description: 'What the provider calls this firewall.',
    },
    'client-secret': {
      type: 'string',
      lengthMax: 256,
      required: true,
      writeOnly: true,
      sentTo: ['token-endpoint', 'endpoint-configuration', 'metadata-url'],
      description: 'Proves to the provider that a request is from the client-id.',
    },
    'jwks-url': {
      type: 'string',
      lengthMax: 256,
      pattern: absoluteUrl,
      required: true,
      description:
        'Where the keys are with which the provider signs its tokens: a JSON Web Key Set (RFC 7517).',
    },
    'openidc-issuer': {
      type: 'string',
      lengthMax: 256,
      pattern: absoluteUrl,
      required: true,
      description: 'What the provider calls itself in its tokens, to the letter.',
    },
    'token-endpoint': {
      type: 'string',
      lengthMax: 256,
      pattern: absoluteUrl,
      required: true,
      description: 'Where the code that a user brings is exchanged for tokens.',
    },
    'endpoint-configuration': {
      type: 'choice',
      values: ['Discovery URL', 'Manual'],
      description: 'Whether the endpoints are kept as metadata-url tells them, or as they are given here.',
    },
    'metadata-url': {
      type: 'string',
      lengthMax: 256,
      pattern: absoluteUrl,
      description:
        "The provider's description of itself, at an address with /.well-known/openid-configuration.",
    },
    'type-openidc': {
      type: 'integer',
      min: 0,
      description: 'A number by which clients tell sorts of providers apart; nothing here depends on it.',
    },
    'userinfo-endpoint': {
      type: 'string',
      lengthMax: 256,
      pattern: absoluteUrl,
      description: 'Where more is told about a user than the tokens say.',
    },
  },
} as const satisfies Kind
