import type { Section } from '../../../kinds/kind.ts'

export const patternMode = {
  title: 'Pattern Mode',
  description: '',
  fields: {
    'default-mode-for-new-patterns': {
      type: 'choice',
      values: ['Active', 'Off', 'Passive'],
      default: 'Passive',
    },
    'default-mode-for-updated-patterns': {
      type: 'choice',
      values: ['Active', 'Off', 'Passive'],
      default: 'Active',
    },
  },
} as const satisfies Section
