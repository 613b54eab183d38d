import type { Section } from '../../../kinds/kind.ts'

export const outOfBandHealthChecks = {
  title: 'Out of Band Health Checks',
  description: '',
  fields: {
    'enable-oob-health-checks': { type: 'yes-no' },
    interval: { type: 'integer', min: 1, max: 10_000, default: 10 },
  },
} as const satisfies Section
