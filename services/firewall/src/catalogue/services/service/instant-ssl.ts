import type { Section } from '../../../kinds/kind.ts'

export const instantSsl = {
  title: 'Instant SSL',
  description: '',
  fields: {
    'secure-site-domain': { type: 'list', of: { type: 'string' } },
    'sharepoint-rewrite-support': { type: 'on-off', default: 'Off' },
    status: { type: 'on-off', default: 'Off' },
  },
} as const satisfies Section
