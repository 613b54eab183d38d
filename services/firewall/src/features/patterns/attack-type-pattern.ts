import type { Kind } from '../../kinds/kind.ts'
import { attackPatterns } from './factory/attack-patterns.ts'
import { objectsOf } from './factory/factory-patterns.ts'
import { checkDigitAlgorithm, patternFields, patternMode } from './pattern-fields.ts'

/** The factory has many; the mode of each can be changed. */
export const attackTypePattern = {
  name: 'attack-type-pattern',
  title: 'Attack Type Pattern',
  description: 'An expression that betrays an attack.',
  path: 'attack-patterns',
  parent: 'attack-type',
  identifiedBy: 'name',
  fields: {
    ...patternFields,
    algorithm: checkDigitAlgorithm,
    mode: patternMode,
  },
  factory: objectsOf(attackPatterns),
} as const satisfies Kind
