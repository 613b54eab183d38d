import type { Kind } from '../../kinds/kind.ts'

export const refererSpamPattern = {
  name: 'referer-spam-pattern',
  title: 'Referer Spam Pattern',
  description: '',
  path: 'bot-spam-patterns',
  parent: 'bot-spam-type',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, required: true },
    regex: { type: 'string', lengthMax: 512, required: true },
    algorithm: { type: 'choice', values: ['None'] },
    'case-sensitive': { type: 'yes-no' },
    description: { type: 'string', lengthMin: 0, lengthMax: 512 },
    mode: { type: 'choice', values: ['Active', 'Off', 'Passive'] },
  },
} as const satisfies Kind
