import { conditionFields } from '../../features/places/fields.ts'
import type { Kind } from '../../kinds/kind.ts'
import { hostMatch, urlMatch } from '../../kinds/patterns.ts'

/** Has further conditions besides URL and host: `conditionFields`. */
export const secureBrowsingPolicy = {
  name: 'secure-browsing-policy',
  title: 'Secure Browsing',
  description: 'Which pages may be reached only with a hardened browser, and the server that vouches for it.',
  path: 'secure-browsing-policies',
  parent: 'service',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, required: true },
    'credential-server': { type: 'reference', to: 'credential-server', required: true },
    url: { type: 'string', lengthMax: 5000, pattern: urlMatch, required: true },
    comments: { type: 'string', lengthMax: 256 },
    ...conditionFields,
    host: { type: 'string', lengthMax: 128, pattern: hostMatch },
    status: { type: 'on-off' },
  },
} as const satisfies Kind
