import type { Section } from '../../../kinds/kind.ts'

export const formLearningAdvancedSettings = {
  title: 'Form Learning Advanced Settings',
  description: '',
  fields: {
    'locking-criteria': { type: 'choice', values: ['Total number of submits exceeds'] },
    'minimum-fill-time-calculation': { type: 'choice', values: ['Internal Algorithm'] },
    'number-of-submits': { type: 'integer', min: 1, max: 10_000 },
  },
} as const satisfies Section
