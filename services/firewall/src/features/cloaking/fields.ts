import type { Section } from '../../kinds/kind.ts'
import { headerName, httpErrorStatus } from '../../kinds/patterns.ts'

/** Two switches of their own: one for headers, one for the pages of errors. */
export const cloaking = {
  title: 'Cloaking',
  description: 'Hides from clients what the servers are, and what goes wrong in them.',
  fields: {
    'headers-to-filter': {
      type: 'list',
      of: { type: 'string', lengthMax: 79, pattern: headerName },
      default: ['Server', 'X-Powered-By', 'X-AspNet-Version'],
      description: 'Headers that are taken out of responses.',
    },
    'filter-response-header': { type: 'yes-no', default: 'Yes' },
    'return-codes-to-exempt': {
      type: 'list',
      of: { type: 'string', pattern: httpErrorStatus },
      description: 'Error statuses that reach the client all the same; 401 and 407 always do.',
    },
    'suppress-return-code': {
      type: 'yes-no',
      default: 'Yes',
      description: 'Whether responses of the statuses 4xx and 5xx are replaced by an error page.',
    },
  },
} as const satisfies Section
