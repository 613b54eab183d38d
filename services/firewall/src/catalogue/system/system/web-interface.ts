import type { Section } from '../../../kinds/kind.ts'

export const webInterface = {
  title: 'Web Interface',
  description: 'How administrators reach the system by HTTP, and how long they stay logged in.',
  fields: {
    'http-port': { type: 'integer', min: 1, max: 65_535, default: 8000 },
    'http-session-length': {
      type: 'integer',
      min: 0,
      max: 9_999_999_999_999,
      unit: 'minutes',
      default: 20,
      description: 'How long a token is valid.',
    },
  },
} as const satisfies Section
