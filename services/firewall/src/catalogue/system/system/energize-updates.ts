import type { Section } from '../../../kinds/kind.ts'

export const energizeUpdates = {
  title: 'Energize Updates',
  description: '',
  fields: {
    'attack-definitions-auto-update': { type: 'on-off', default: 'On' },
    'geoip-definitions-auto-update': { type: 'on-off', default: 'On' },
    'patch-application-method': { type: 'choice', values: ['Automatically', 'Disable', 'Manually'] },
    'security-definitions-auto-update': { type: 'on-off', default: 'On' },
    'virus-definitions-auto-update': { type: 'on-off', default: 'On' },
  },
} as const satisfies Section
