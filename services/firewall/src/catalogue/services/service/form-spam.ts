import type { Section } from '../../../kinds/kind.ts'

export const formSpam = {
  title: 'Form Spam',
  description: 'Whether programs are kept from filling in forms.',
  fields: {
    status: { type: 'on-off' },
    'honeypot-status': {
      type: 'yes-no',
      description: 'Whether forms carry a member that people do not see, and so leave empty.',
    },
    'autoconfigure-status': {
      type: 'yes-no',
      description: 'Whether forms that are seen in the traffic are protected without being listed.',
    },
  },
} as const satisfies Section
