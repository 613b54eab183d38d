import type { Section } from '../../../kinds/kind.ts'

export const formSpam = {
  title: 'Form Spam',
  description: '',
  fields: {
    'autoconfigure-status': { type: 'yes-no' },
    'honeypot-status': { type: 'yes-no' },
    status: { type: 'on-off' },
  },
} as const satisfies Section
