import type { Kind } from '../../kinds/kind.ts'
import { notBlank } from '../../kinds/patterns.ts'
import { typesOf } from './factory/factory-patterns.ts'
import { inputPatterns } from './factory/input-patterns.ts'

/** What parameter classes name to say how values have to look. */
export const inputType = {
  name: 'input-type',
  title: 'Custom Input Type',
  description: 'A group of patterns of which the value of a parameter has to match one.',
  path: 'input-types',
  identifiedBy: 'name',
  operations: ['list', 'create', 'read', 'delete'],
  fields: {
    name: { type: 'string', lengthMax: 64, pattern: notBlank, required: true },
  },
  factory: typesOf(inputPatterns),
} as const satisfies Kind
