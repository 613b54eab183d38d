import type { Section } from '../../../kinds/kind.ts'
import { notBlank } from '../../../kinds/patterns.ts'

export const advancedClientAnalysis = {
  title: 'Advanced Client Analysis',
  description: 'Whether pages carry a script that tells how their clients behave.',
  fields: {
    'advanced-analysis': { type: 'choice', values: ['Disable', 'Enable'] },
    'exclude-url-patterns': {
      type: 'list',
      of: { type: 'string', lengthMax: 1024, pattern: notBlank },
      description: 'Pages that are left as they are.',
    },
  },
} as const satisfies Section
