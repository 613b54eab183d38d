import type { Section } from '../../kinds/kind.ts'
import { hostAndPort } from '../../kinds/patterns.ts'

/** An Instant SSL service has the hosts that are here and those in its own `secure-site-domain`. */
export const instantSsl = {
  title: 'Instant SSL',
  description: 'Whether a site of HTTP servers is offered over HTTPS, with its links rewritten.',
  fields: {
    status: { type: 'on-off', default: 'Off' },
    'secure-site-domain': {
      type: 'list',
      of: { type: 'string', lengthMax: 253, pattern: hostAndPort },
      description: 'The hosts whose links are rewritten.',
    },
    'sharepoint-rewrite-support': { type: 'on-off', default: 'Off' },
  },
} as const satisfies Section
