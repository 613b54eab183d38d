import type { Section } from '../../../kinds/kind.ts'

export const advancedClientAnalysis = {
  title: 'Advanced Client Analysis',
  description: '',
  fields: {
    'advanced-analysis': { type: 'choice', values: ['Disable', 'Enable', 'Same as Service'] },
  },
} as const satisfies Section
