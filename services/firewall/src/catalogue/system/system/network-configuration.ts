import type { Section } from '../../../kinds/kind.ts'

export const networkConfiguration = {
  title: 'Network Configuration',
  description: '',
  fields: {
    'enable-snat-for-lan-servers': { type: 'yes-no', default: 'No' },
    'higher-precedence-for-acls': { type: 'choice', values: ['System', 'Vsites'], default: 'System' },
    'mtu-for-lan': { type: 'integer', min: 576, max: 1500, default: 1500 },
    'mtu-for-mgmt': { type: 'integer', min: 576, max: 1500, default: 1500 },
    'mtu-for-wan': { type: 'integer', min: 576, max: 1500, default: 1500 },
    'syn-guard': { type: 'on-off', default: 'On' },
    'tcp-timestamp': { type: 'on-off', default: 'On' },
  },
} as const satisfies Section
