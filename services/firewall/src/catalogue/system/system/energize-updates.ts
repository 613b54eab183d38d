import type { Section } from '../../../kinds/kind.ts'

export const energizeUpdates = {
  title: 'Energize Updates',
  description: 'Which definitions and patches the system fetches and applies by itself.',
  fields: {
    'attack-definitions-auto-update': { type: 'on-off', default: 'On' },
    'geoip-definitions-auto-update': { type: 'on-off', default: 'On' },
    'patch-application-method': {
      type: 'choice',
      values: ['Automatically', 'Disable', 'Manually'],
      description: 'How patches of the software are applied.',
    },
    'security-definitions-auto-update': { type: 'on-off', default: 'On' },
    'virus-definitions-auto-update': { type: 'on-off', default: 'On' },
  },
} as const satisfies Section
