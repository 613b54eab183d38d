import type { Section } from '../../../kinds/kind.ts'

export const advancedConfiguration = {
  title: 'Advanced Configuration',
  description: '',
  fields: {
    'client-impersonation': { type: 'yes-no', default: 'No' },
    'max-connections': { type: 'integer', min: 0, max: 500_000, default: 10_000 },
    'max-establishing-connections': { type: 'integer', min: 1, max: 3096, default: 100 },
    'max-keepalive-requests': { type: 'integer', min: 0, max: 65_535, default: 0 },
    'max-requests': { type: 'integer', min: 0, max: 3096, default: 1000 },
    'max-spare-connections': { type: 'integer', min: 0, max: 3096, default: 0 },
    'source-ip-to-connect': { type: 'string' },
    timeout: { type: 'integer', min: 0, max: 86_400_000, default: 300_000 },
  },
} as const satisfies Section
