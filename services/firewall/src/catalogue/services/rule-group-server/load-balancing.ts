import type { Section } from '../../../kinds/kind.ts'

export const loadBalancing = {
  title: 'Load Balancing',
  description: '',
  fields: {
    'backup-server': { type: 'yes-no' },
    weight: { type: 'integer', min: 0, max: 65_535 },
  },
} as const satisfies Section
