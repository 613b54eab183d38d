import type { Kind } from '../../kinds/kind.ts'
import { notBlank } from '../../kinds/patterns.ts'
import { attackPatterns } from './factory/attack-patterns.ts'
import { typesOf } from './factory/factory-patterns.ts'

/**
 * What security policies, profiles and header rules name in their lists of blocked attack types. Those of a fresh
 * installation are named in blocked-attack-types, all others in custom-blocked-attack-types.
 */
export const attackType = {
  name: 'attack-type',
  title: 'Custom Attack Type',
  description: 'A group of patterns that betray one sort of attack.',
  path: 'attack-types',
  identifiedBy: 'name',
  operations: ['list', 'create', 'read', 'delete'],
  fields: {
    name: { type: 'string', lengthMax: 64, pattern: notBlank, required: true },
  },
  factory: typesOf(attackPatterns),
} as const satisfies Kind
