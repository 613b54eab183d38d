import type { Section } from '../../../kinds/kind.ts'

export const appearance = {
  title: 'Appearance',
  description: 'What the login page of the web interface shows.',
  fields: {
    'login-notice': { type: 'string', description: 'What administrators read before they log in.' },
    'logo-url': { type: 'string', lengthMax: 2048 },
  },
} as const satisfies Section
