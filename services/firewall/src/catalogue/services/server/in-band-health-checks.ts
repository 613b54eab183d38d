import type { Section } from '../../../kinds/kind.ts'

/** The traffic itself shows how a server fares. Errors that are not watched for have 0. */
export const inBandHealthChecks = {
  title: 'In Band Health Checks',
  description: 'How many errors in the traffic take a server out of service.',
  fields: {
    'max-http-errors': { type: 'integer', min: 0, max: 1024, default: 0 },
    'max-refused': {
      type: 'integer',
      min: 0,
      max: 1024,
      default: 10,
      description: 'Connections that the server refused.',
    },
    'max-timeout-failure': {
      type: 'integer',
      min: 0,
      max: 1024,
      default: 10,
      description: 'Connections that were not answered in time.',
    },
    'max-other-failure': { type: 'integer', min: 0, max: 1024, default: 10 },
  },
} as const satisfies Section
