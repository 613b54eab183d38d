import type { Section } from '../../../kinds/kind.ts'
import { notBlank, parameterName } from '../../../kinds/patterns.ts'

export const commentSpam = {
  title: 'Comment Spam',
  description: 'Which parameters are searched for links and words of advertisers.',
  fields: {
    parameter: { type: 'list', of: { type: 'string', lengthMax: 256, pattern: parameterName } },
    'exception-patterns': {
      type: 'list',
      of: { type: 'string', lengthMax: 64, pattern: notBlank },
      description: 'Names of patterns that are not searched for.',
    },
  },
} as const satisfies Section
