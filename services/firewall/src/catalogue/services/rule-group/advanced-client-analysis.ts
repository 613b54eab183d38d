import type { Section } from '../../../kinds/kind.ts'

export const advancedClientAnalysis = {
  title: 'Advanced Client Analysis',
  description: "Whether the rule's requests tell how their clients behave.",
  fields: {
    'advanced-analysis': { type: 'choice', values: ['Disable', 'Enable', 'Same as Service'] },
  },
} as const satisfies Section
