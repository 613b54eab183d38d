import type { Kind } from '../../kinds/kind.ts'
import { hostMatch, urlMatch } from '../../kinds/patterns.ts'

/** Needs the body as it is: while a rule is there, servers are asked not to compress. */
export const responseBodyRewrite = {
  name: 'response-body-rewrite',
  title: 'Response Body Rewrite',
  description: 'A text that is replaced by another in the bodies of responses.',
  path: 'response-body-rewrite-rules',
  parent: 'service',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, required: true },
    host: { type: 'string', lengthMax: 128, pattern: hostMatch, required: true },
    'search-string': { type: 'string', lengthMax: 512, required: true },
    'sequence-number': {
      type: 'integer',
      min: 1,
      max: 1499,
      required: true,
      description: 'Rules are applied in this order, the lowest first.',
    },
    url: { type: 'string', lengthMax: 5000, pattern: urlMatch, required: true },
    comments: { type: 'string', lengthMax: 256 },
    'replace-string': { type: 'string', lengthMax: 512 },
  },
} as const satisfies Kind
