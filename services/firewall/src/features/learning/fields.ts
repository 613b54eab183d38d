import type { Section } from '../../kinds/kind.ts'
import { contentType, notBlank } from '../../kinds/patterns.ts'

const learning = ['Successes and Redirects', 'Successes Only', 'Trusted', 'None'] as const

/** Learning ends in URL and parameter profiles, which say what later requests may look like. */
export const adaptiveProfiling = {
  title: 'Adaptive Profiling',
  description: 'What of the traffic is learnt from, so that profiles of the site are made.',
  fields: {
    status: { type: 'on-off', default: 'Off' },
    'request-learning': {
      type: 'choice',
      values: learning,
      default: 'Successes and Redirects',
      description: 'From which requests, by how they were answered or whom they came from.',
    },
    'response-learning': { type: 'choice', values: learning, default: 'Successes and Redirects' },
    'trusted-host-group': {
      type: 'reference',
      to: 'trusted-host-group',
      description: 'Whose traffic is learnt from when only trusted traffic is.',
    },
    'content-types': {
      type: 'list',
      of: { type: 'string', lengthMax: 256, pattern: contentType },
      default: ['text/html', 'text/css'],
      description: 'Responses of which types are learnt from.',
    },
    'ignore-parameters': {
      type: 'list',
      of: { type: 'string', lengthMax: 256, pattern: notBlank },
      description: 'Parameters that are not learnt, since they differ from request to request.',
    },
    'navigation-parameters': {
      type: 'list',
      of: { type: 'string', lengthMax: 256, pattern: notBlank },
      description: 'Parameters whose values tell one page from another.',
    },
  },
} as const satisfies Section
