import type { Section } from '../../../kinds/kind.ts'

export const emailNotifications = {
  title: 'Email Notifications',
  description: '',
  fields: {
    'contact-email-id': { type: 'string', lengthMax: 512 },
    'alerts-email-id': { type: 'string', lengthMax: 512 },
    'from-email': { type: 'string', lengthMax: 512 },
    'smtp-password': { type: 'string', writeOnly: true },
    'smtp-port': { type: 'integer', default: 25 },
    'smtp-server': { type: 'string' },
    'smtp-username': { type: 'string' },
  },
} as const satisfies Section
