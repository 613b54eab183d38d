import type { Kind } from '../../kinds/kind.ts'
import { objectsOf } from './factory/factory-patterns.ts'
import { spamPatterns } from './factory/spam-patterns.ts'
import { patternFields, patternMode } from './pattern-fields.ts'

/** Looked for in the Referer header. Links have no check digits, so the algorithm is always None. */
export const refererSpamPattern = {
  name: 'referer-spam-pattern',
  title: 'Referer Spam Pattern',
  description: 'An expression that betrays a planted link.',
  path: 'bot-spam-patterns',
  parent: 'bot-spam-type',
  identifiedBy: 'name',
  fields: {
    ...patternFields,
    algorithm: { type: 'choice', values: ['None'] },
    mode: patternMode,
  },
  factory: objectsOf(spamPatterns),
} as const satisfies Kind
