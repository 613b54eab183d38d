import type { Kind } from '../../kinds/kind.ts'
import { notBlank } from '../../kinds/patterns.ts'
import { typesOf } from './factory/factory-patterns.ts'
import { spamPatterns } from './factory/spam-patterns.ts'

/** What the protection of services from referer and comment spam looks for. */
export const botSpamType = {
  name: 'bot-spam-type',
  title: 'Custom Referer Bot',
  description: 'A group of patterns that betray planted links.',
  path: 'bot-spam-types',
  identifiedBy: 'name',
  operations: ['list', 'create', 'read', 'delete'],
  fields: {
    name: { type: 'string', lengthMax: 64, pattern: notBlank, required: true },
  },
  factory: typesOf(spamPatterns),
} as const satisfies Kind
