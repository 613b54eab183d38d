import type { Section } from '../../../kinds/kind.ts'

export const tarpitProfile = {
  title: 'Tarpit Profile',
  description: '',
  fields: {
    'backlog-requests-limit': { type: 'integer', min: 0, max: 100 },
    'tarpit-delay-interval': { type: 'integer', min: 5, max: 299 },
    'tarpit-inactivity-timeout': { type: 'integer', min: 300, max: 36_000 },
  },
} as const satisfies Section
