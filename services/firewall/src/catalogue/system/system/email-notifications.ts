import type { Section } from '../../../kinds/kind.ts'
import { emailAddresses, hostOrAddress } from '../../../kinds/patterns.ts'

const emailAddressesOfSystem = { type: 'string', lengthMax: 512, pattern: emailAddresses } as const

export const emailNotifications = {
  title: 'Email Notifications',
  description: 'To whom the system writes, and by which mail server.',
  fields: {
    'contact-email-id': {
      ...emailAddressesOfSystem,
      description: 'Who is responsible for the system.',
    },
    'alerts-email-id': { ...emailAddressesOfSystem, description: 'Who is told when something is wrong.' },
    'from-email': emailAddressesOfSystem,
    'smtp-password': {
      type: 'string',
      lengthMax: 1024,
      writeOnly: true,
      sentTo: ['smtp-server', 'smtp-port'],
    },
    'smtp-port': { type: 'integer', min: 1, max: 65_535, default: 25 },
    'smtp-server': { type: 'string', lengthMax: 255, pattern: hostOrAddress },
    'smtp-username': { type: 'string', lengthMax: 255 },
  },
} as const satisfies Section
