import type { Kind } from '../../kinds/kind.ts'
import { objectsOf } from './factory/factory-patterns.ts'
import { inputPatterns } from './factory/input-patterns.ts'
import { checkDigitAlgorithm, patternFields } from './pattern-fields.ts'

/** The factory has some; `status` switches each off by itself. */
export const inputTypePattern = {
  name: 'input-type-pattern',
  title: 'Input Type Pattern',
  description: 'An expression for values that are taken.',
  path: 'input-patterns',
  parent: 'input-type',
  identifiedBy: 'name',
  fields: {
    ...patternFields,
    algorithm: checkDigitAlgorithm,
    status: { type: 'on-off' },
  },
  factory: objectsOf(inputPatterns),
} as const satisfies Kind
