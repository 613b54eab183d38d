import type { Section } from '../../../kinds/kind.ts'

export const appearance = {
  title: 'Appearance',
  description: '',
  fields: {
    'login-notice': { type: 'string' },
    'logo-url': { type: 'string' },
  },
} as const satisfies Section
