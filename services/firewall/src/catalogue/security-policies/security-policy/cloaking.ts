import type { Section } from '../../../kinds/kind.ts'
import { headerName } from '../../../kinds/patterns.ts'

export const cloaking = {
  title: 'Cloaking',
  description: '',
  fields: {
    'headers-to-filter': {
      type: 'list',
      of: { type: 'string', pattern: headerName },
      default: ['Server', 'X-Powered-By', 'X-AspNet-Version'],
    },
    'filter-response-header': { type: 'yes-no', default: 'Yes' },
    'return-codes-to-exempt': { type: 'list', of: { type: 'string' } },
    'suppress-return-code': { type: 'yes-no', default: 'Yes' },
  },
} as const satisfies Section
