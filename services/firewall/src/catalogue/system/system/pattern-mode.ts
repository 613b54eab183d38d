import type { Section } from '../../../kinds/kind.ts'

const modes = ['Active', 'Off', 'Passive'] as const

export const patternMode = {
  title: 'Pattern Mode',
  description: 'What attack patterns do that come with an update: block, only log, or nothing.',
  fields: {
    'default-mode-for-new-patterns': { type: 'choice', values: modes, default: 'Passive' },
    'default-mode-for-updated-patterns': { type: 'choice', values: modes, default: 'Active' },
  },
} as const satisfies Section
