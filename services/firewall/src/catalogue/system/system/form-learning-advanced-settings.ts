import type { Section } from '../../../kinds/kind.ts'

/** How long people take to fill in a form tells them from programs, and is learned from what is submitted. */
export const formLearningAdvancedSettings = {
  title: 'Form Learning Advanced Settings',
  description: 'When enough is known about a form for programs that fill it in to be recognised.',
  fields: {
    'locking-criteria': {
      type: 'choice',
      values: ['Total number of submits exceeds'],
      description: 'When learning ends.',
    },
    'minimum-fill-time-calculation': { type: 'choice', values: ['Internal Algorithm'] },
    'number-of-submits': { type: 'integer', min: 1, max: 10_000 },
  },
} as const satisfies Section
