import type { Kind } from '../../kinds/kind.ts'
import { absoluteUrl, objectName } from '../../kinds/patterns.ts'

/**
 * Decides whether a JSON Web Token (RFC 7519) that came with a request is good. An internal validator verifies the
 * signature with the keys named here; an external one asks an introspection endpoint (RFC 7662).
 */
export const jwtValidatorEndpoint = {
  name: 'jwt-validator-endpoint',
  title: 'JWT OIDC OAUTH Validator',
  description: 'A way to validate the JSON Web Tokens of requests, by keys or by asking an endpoint.',
  path: 'jwt-validator-endpoints',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, pattern: objectName, required: true },
    'auth-mechanism': {
      type: 'string',
      lengthMax: 31,
      description:
        'How the firewall proves itself to the endpoint: None, Client Secret Basic, or by the bearer-access-token.',
    },
    'bearer-access-token': {
      type: 'string',
      lengthMax: 1024,
      writeOnly: true,
      sentTo: ['endpoint', 'validate-server'],
      description: 'Presented to the endpoint when the mechanism says so.',
    },
    'client-id': { type: 'string', lengthMax: 255, description: 'What the endpoint calls this firewall.' },
    'client-secret': {
      type: 'string',
      lengthMax: 255,
      writeOnly: true,
      sentTo: ['endpoint', 'validate-server'],
      description: 'Proves to the endpoint that a question is from the client-id.',
    },
    endpoint: {
      type: 'string',
      lengthMax: 255,
      pattern: absoluteUrl,
      description: 'Where an external validator asks about tokens.',
    },
    'max-cache-size': {
      type: 'integer',
      min: 0,
      unit: 'tokens',
      description: 'How many answers of the endpoint are remembered; when empty, it is asked each time.',
    },
    'post-params': {
      type: 'string',
      lengthMax: 1024,
      description: 'Sent to the endpoint beside the token, such as token_type_hint=access_token.',
    },
    'public-keys-kid': {
      type: 'list',
      of: { type: 'string', lengthMax: 255 },
      shownAs: 'text',
      description:
        'The key ids (header kid) under which tokens name the keys of verify-public-keys, in their order.',
    },
    'shared-keys-kid': {
      type: 'string',
      lengthMax: 255,
      description: 'The key id (header kid) under which tokens name the key of verify-shared-keys.',
    },
    'token-param-name': {
      type: 'string',
      lengthMax: 255,
      description: 'The parameter in which the endpoint is sent the token.',
    },
    type: {
      type: 'choice',
      values: ['External', 'Internal'],
      description: 'Whether an endpoint is asked, or the signature verified here.',
    },
    'validate-server': {
      type: 'yes-no',
      description: "Whether the endpoint's certificate has to be valid for its name.",
    },
    'verify-jwks-uri': {
      type: 'string',
      lengthMax: 255,
      pattern: absoluteUrl,
      description: 'Where further keys are fetched from: a JSON Web Key Set (RFC 7517).',
    },
    'verify-public-keys': {
      type: 'list',
      of: { type: 'reference', to: 'jwt-public-key' },
      shownAs: 'text',
      description: 'The keys that verify signatures of the families RS, PS and ES.',
    },
    'verify-shared-keys': {
      type: 'string',
      lengthMax: 1024,
      writeOnly: true,
      description: 'The secret that verifies signatures of the family HS.',
    },
  },
} as const satisfies Kind
