import type { Section } from '../../../kinds/kind.ts'

export const commentSpam = {
  title: 'Comment Spam',
  description: '',
  fields: {
    'exception-patterns': { type: 'list', of: { type: 'string' } },
    parameter: { type: 'list', of: { type: 'string' } },
  },
} as const satisfies Section
