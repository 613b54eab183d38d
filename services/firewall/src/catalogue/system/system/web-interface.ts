import type { Section } from '../../../kinds/kind.ts'

export const webInterface = {
  title: 'Web Interface',
  description: '',
  fields: {
    'http-port': { type: 'integer', default: 8000 },
    'http-session-length': { type: 'integer', min: 0, max: 9_999_999_999_999, default: 20 },
  },
} as const satisfies Section
