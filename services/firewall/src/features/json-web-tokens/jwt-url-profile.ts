import type { Kind } from '../../kinds/kind.ts'
import { hostMatch, urlMatch } from '../../kinds/patterns.ts'

/** JSON Web Tokens are those of RFC 7519; `jwt-validator-endpoint` says who validates them. */
export const jwtUrlProfile = {
  name: 'jwt-url-profile',
  title: 'JWT URL Profile',
  description: 'Which requests need a valid JSON Web Token, and what validates it.',
  path: 'jwt-url-profiles',
  parent: 'service',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, required: true },
    'extended-match': {
      type: 'string',
      lengthMax: 4096,
      required: true,
      description: 'A condition on the rest of the request; "*" for every request.',
    },
    'host-match': { type: 'string', lengthMax: 5000, pattern: hostMatch, required: true },
    url: { type: 'string', lengthMax: 5000, pattern: urlMatch, required: true },
    'validator-policy': { type: 'reference', to: 'jwt-validator-endpoint', required: true },
    'extended-match-sequence': {
      type: 'integer',
      min: 0,
      max: 1000,
      description: 'The order in which extended matches of the same URL are tried.',
    },
    status: { type: 'on-off' },
  },
} as const satisfies Kind
