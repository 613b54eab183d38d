import type { Section } from '../../../kinds/kind.ts'

export const refererSpam = {
  title: 'Referer Spam',
  description: '',
  fields: {
    'custom-blocked-patterns': { type: 'string' },
    'exception-patterns': { type: 'list', of: { type: 'string' } },
    status: { type: 'on-off' },
  },
} as const satisfies Section
