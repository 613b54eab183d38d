import type { Kind } from '../../kinds/kind.ts'

export const botSpamType = {
  name: 'bot-spam-type',
  title: 'Custom Referer Bot',
  description: '',
  path: 'bot-spam-types',
  identifiedBy: 'name',
  operations: ['list', 'create', 'read', 'delete'],
  fields: {
    name: { type: 'string', lengthMax: 64, required: true },
  },
} as const satisfies Kind
