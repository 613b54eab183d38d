import type { Section } from '../../../kinds/kind.ts'

export const advancedClientAnalysis = {
  title: 'Advanced Client Analysis',
  description: '',
  fields: {
    'advanced-analysis': { type: 'choice', values: ['Disable', 'Enable'] },
    'exclude-url-patterns': { type: 'list', of: { type: 'string' } },
  },
} as const satisfies Section
