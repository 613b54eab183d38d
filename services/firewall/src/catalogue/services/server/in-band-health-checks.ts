import type { Section } from '../../../kinds/kind.ts'

export const inBandHealthChecks = {
  title: 'In Band Health Checks',
  description: '',
  fields: {
    'max-http-errors': { type: 'integer', min: 0, max: 1024, default: 0 },
    'max-other-failure': { type: 'integer', min: 0, max: 1024, default: 10 },
    'max-refused': { type: 'integer', min: 0, max: 1024, default: 10 },
    'max-timeout-failure': { type: 'integer', min: 0, max: 1024, default: 10 },
  },
} as const satisfies Section
