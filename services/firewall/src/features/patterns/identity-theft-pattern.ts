import type { Kind } from '../../kinds/kind.ts'
import { objectsOf } from './factory/factory-patterns.ts'
import { identityPatterns } from './factory/identity-patterns.ts'
import { checkDigitAlgorithm, patternFields } from './pattern-fields.ts'

/** Check digits keep other numbers from being taken for those of cards. */
export const identityTheftPattern = {
  name: 'identity-theft-pattern',
  title: 'Identity Theft Pattern',
  description: 'An expression for data that must not be given away.',
  path: 'identity-theft-patterns',
  parent: 'identity-theft-type',
  identifiedBy: 'name',
  fields: {
    ...patternFields,
    algorithm: checkDigitAlgorithm,
    status: { type: 'on-off' },
  },
  factory: objectsOf(identityPatterns),
} as const satisfies Kind
