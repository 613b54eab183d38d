import type { Section } from '../../../kinds/kind.ts'

/** Scores are from 1 to 100; a client below the medium one is not suspect. */
export const clientProfile = {
  title: 'Client Profile',
  description: 'Rates each client by the attacks it caused, and takes it for suspect or bad above a score.',
  fields: {
    'client-profile': { type: 'yes-no', description: 'Whether clients are rated.' },
    'exception-client-fingerprints': {
      type: 'list',
      of: { type: 'string', lengthMax: 256 },
      description: 'Clients that are not rated.',
    },
    'high-risk-score': {
      type: 'integer',
      min: 1,
      max: 100,
      description: 'The score from which on a client is bad.',
    },
    'medium-risk-score': {
      type: 'integer',
      min: 1,
      max: 100,
      description: 'The score from which on a client is suspect.',
    },
  },
} as const satisfies Section
