import type { Kind } from '../../kinds/kind.ts'
import { notBlank } from '../../kinds/patterns.ts'
import { typesOf } from './factory/factory-patterns.ts'
import { identityPatterns } from './factory/identity-patterns.ts'

/** What the protected data types of security policies name. */
export const identityTheftType = {
  name: 'identity-theft-type',
  title: 'Custom Identity Theft Protection',
  description: 'A group of patterns for one sort of data that responses must not give away.',
  path: 'identity-types',
  identifiedBy: 'name',
  operations: ['list', 'create', 'read', 'delete'],
  fields: {
    name: { type: 'string', lengthMax: 64, pattern: notBlank, required: true },
  },
  factory: typesOf(identityPatterns),
} as const satisfies Kind
