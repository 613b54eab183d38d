import type { Section } from '../../../kinds/kind.ts'

export const clientProfile = {
  title: 'Client Profile',
  description: '',
  fields: {
    'client-profile': { type: 'yes-no' },
    'exception-client-fingerprints': { type: 'list', of: { type: 'string' } },
    'high-risk-score': { type: 'integer', min: 1, max: 100 },
    'medium-risk-score': { type: 'integer', min: 1, max: 100 },
  },
} as const satisfies Section
