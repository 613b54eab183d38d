import type { Section } from '../../../kinds/kind.ts'

export const outOfBandHealthChecks = {
  title: 'Out of Band Health Checks',
  description: 'Whether and how often a server is asked how it fares, apart from the traffic.',
  fields: {
    'enable-oob-health-checks': { type: 'yes-no' },
    interval: { type: 'integer', min: 1, max: 10_000, default: 10, unit: 'seconds' },
  },
} as const satisfies Section
